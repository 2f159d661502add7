"""From the form in which the HTTP API takes a job to the form in which the server stores it.

Some fields that a body can hold are the server's own and are ignored, some are gone from the stored form, and
the policies of the job as a whole live on in its groups only.
"""

from collections.abc import Mapping
from typing import Any, Final

from nomadspec.model.cluster.admission.api_defaults import Document, fill_api_defaults

_IGNORED: Final = frozenset(
    {
        "Dispatched",
        "ParentID",
        "DispatchIdempotencyToken",
        "Status",
        "StatusDescription",
        "Stable",
        "NomadTokenID",
        "SubmitTime",
        "CreateIndex",
        "ModifyIndex",
        "JobModifyIndex",
    }
)
_INHERITED_BY_GROUPS: Final = frozenset({"Reschedule", "Migrate"})
_REMOVED_FROM_GROUPS: Final = frozenset(
    {"StopAfterClientDisconnect", "MaxClientDisconnect", "PreventRescheduleOnLost"}
)
_UPDATE_OF_JOB: Final = ("Stagger", "MaxParallel")


def convert_api_job(job: Document) -> dict[str, Any]:
    """Turn the body of a registration into the document of the job that the server looks at.

    Spec: OBJ-033, OBJ-050, OBJ-070, 01/S5.
    """
    filled = fill_api_defaults(job)
    kept = _without(filled, _IGNORED | _INHERITED_BY_GROUPS)
    groups = [_without(group, _REMOVED_FROM_GROUPS) for group in filled["TaskGroups"] or ()]
    return {**kept, "TaskGroups": groups, "Update": _reduce_update(filled["Update"])}


def _reduce_update(update: Document | None) -> dict[str, Any]:
    if update is None:
        return {}
    most = update["MaxParallel"]
    if isinstance(most, int) and most <= 0:  # what is no number is refused where the job is read
        return {}
    return {key: update[key] for key in _UPDATE_OF_JOB}


def _without(members: Mapping[str, Any], left_out: frozenset[str]) -> dict[str, Any]:
    return {key: value for key, value in members.items() if key not in left_out}
