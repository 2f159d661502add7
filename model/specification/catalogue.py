"""Every ID that code may cite: where it is defined, and a title that says in one sentence what it is about.

The texts behind the IDs are not part of this repository; the titles are sentences of our own. The title of a
quirk of our own (``X-07``) is what happens under it.
"""

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Final

from nomadspec.model.errors import UnknownNameError
from nomadspec.model.specification.quirks import list_quirks
from nomadspec.model.specification.titles import (
    bugs,
    cluster_reconciler,
    deployments,
    evaluations,
    feasibility,
    garbage_collection,
    modules,
    node_reconciler,
    objects,
    plan_applier,
    quirks,
    ranking,
    triggers,
    wire,
)

OWN: Final = "own"
"""Where IDs are defined that no chapter, catalogue or module lists."""

_TABLES: Final[Mapping[str, Mapping[str, str]]] = {
    "01": objects.TITLES,
    "02": evaluations.TITLES,
    "03": plan_applier.TITLES,
    "04": cluster_reconciler.TITLES,
    "05": node_reconciler.TITLES,
    "06": feasibility.TITLES,
    "07": ranking.TITLES,
    "08": deployments.TITLES,
    "09": triggers.TITLES,
    "10": garbage_collection.TITLES,
    "11": wire.TITLES,
    "12": quirks.TITLES,
    "bugs": bugs.TITLES,
    **{
        module: {
            spec_id: title for spec_id, title in modules.TITLES.items() if spec_id.startswith(f"{module}!")
        }
        for module in ("Core", "TwoPhase")
    },
}


@cache
def list_ids() -> Mapping[str, str]:
    """List every ID with what defines it: a chapter, the bugs, a TLA+ module, or this project."""
    listed = {spec_id: chapter for chapter, titles in _TABLES.items() for spec_id in titles}
    return MappingProxyType(listed | dict.fromkeys(_list_own(), OWN))


@cache
def list_titles() -> Mapping[str, str]:
    """List every ID with its title."""
    listed = {spec_id: title for titles in _TABLES.values() for spec_id, title in titles.items()}
    return MappingProxyType(listed | dict(_list_own()))


def find_chapter(spec_id: str) -> str:
    """Say where an ID is defined; an unknown one is answered with the nearest that exist."""
    return _look_up(list_ids(), spec_id)


def find_title(spec_id: str) -> str:
    """Give the title of an ID; an unknown one is answered with the nearest that exist."""
    return _look_up(list_titles(), spec_id)


def _list_own() -> Mapping[str, str]:
    return {quirk.id: quirk.happens for quirk in list_quirks() if quirk.id.startswith("X-")}


def _look_up(table: Mapping[str, str], spec_id: str) -> str:
    if spec_id not in table:
        raise UnknownNameError("spec ID", spec_id, table)
    return table[spec_id]
