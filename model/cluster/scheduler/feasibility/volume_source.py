"""The name under which an allocation asks for a volume."""

from __future__ import annotations

from nomadspec.model.cluster.entities import VolumeRequest


def find_source(request: VolumeRequest, alloc_name: str) -> str:
    """Find the source of a request; one that is made per allocation ends with the index of its name.

    Spec: FEAS-60, FEAS-68, OBJ-117.
    """
    return request.source + find_suffix(alloc_name) if request.per_alloc else request.source


def find_suffix(alloc_name: str) -> str:
    """Find the index of a name with its brackets: all from the last opening one.

    Spec: FEAS-60.
    """
    begin = alloc_name.rfind("[")
    return alloc_name[begin:] if begin >= 0 else ""
