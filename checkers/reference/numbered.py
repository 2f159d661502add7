"""The page of numbered invariants: for each that a chapter of the specification asks, where it is judged."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from importlib.resources import files
from typing import Final

import msgspec

from nomadspec.checkers.oracle.registry import FAMILIES
from nomadspec.checkers.reference.citations import anchor
from nomadspec.checkers.reference.markdown import code, heading, page, table
from nomadspec.invariants.catalogue import find_model
from nomadspec.invariants.cluster.resources.claims import CLAIMS
from nomadspec.invariants.cluster.scheduler.catalogue import PROPERTIES as DECISIONS
from nomadspec.invariants.cluster.world import PROPERTIES as CLUSTERS
from nomadspec.model.errors import UnknownNameError

_ABOUT: Final = (
    "Each chapter of the specification ends with numbered invariants. This page lists all of them, in our "
    "own words, with what checks each: a [property of whole clusters](../concepts/cluster-properties.md), "
    "a [property of the kernel](properties.md) that cites its rule, a property of [decisions of "
    "schedulers](../concepts/scheduler.md), a [claim about resources](properties.md), or the comparison "
    "with [recordings](deviations.md). If nothing checks it, the reason is given."
)
_TITLES: Final = {
    "01": "Objects",
    "02": "Evaluations",
    "03": "The plan applier",
    "04": "The reconciler of services and batch jobs",
    "05": "The reconciler of system jobs",
    "06": "Feasibility",
    "07": "Ranking",
    "08": "Deployments",
    "09": "Triggers",
    "10": "Garbage collection",
    "11": "The wire",
}


class Numbered(msgspec.Struct, frozen=True, kw_only=True, rename="kebab", forbid_unknown_fields=True):
    """One numbered invariant: what it promises, and what judges it, or why nothing does."""

    promise: str
    by: tuple[str, ...] = ()
    not_judged: str = ""


def read_numbered() -> dict[str, dict[str, Numbered]]:
    """Read all of them, by chapter and number."""
    text = files("nomadspec.invariants").joinpath("numbered.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text), dict[str, dict[str, Numbered]])


def list_judges(name: str) -> tuple[str, ...]:
    """List what a name in the data stands for: properties, claims, or families of recordings."""
    kind, _, rest = name.rpartition(":")
    found = tuple(_find_judges(kind, rest))
    if not found:
        raise UnknownNameError("judge of an invariant", name, (*CLUSTERS, *DECISIONS))
    return found


def _find_judges(kind: str, name: str) -> Iterator[str]:
    if kind == "kernel":
        yield from (each.name for each in find_model("kernel").properties if name in each.spec)
    elif kind == "vectors":
        yield from (family for family in FAMILIES if family == name)
    elif kind == "fit":
        yield from (claim.name for claim in CLAIMS if claim.name == name)
    elif name == "trace" or name in CLUSTERS or name in DECISIONS:
        yield name


def compute_numbered_page() -> str:
    """Write the page."""
    chapters = read_numbered()
    parts = (_chapter_part(chapter, rows) for chapter, rows in chapters.items())
    judged = sum(bool(row.by) for rows in chapters.values() for row in rows.values())
    total = sum(map(len, chapters.values()))
    return page("Numbered invariants", _ABOUT, f"{judged} of {total} are checked.", *parts)


def _chapter_part(chapter: str, rows: dict[str, Numbered]) -> str:
    told = [(number, row.promise, "; ".join(_tell_judges(row))) for number, row in rows.items()]
    title = f"{chapter} {_TITLES[chapter]}"
    return "\n\n".join(
        [heading(2, title, anchor("numbered", chapter)), table(["#", "invariant", "checked by"], told)]
    )


def _tell_judges(row: Numbered) -> Iterator[str]:
    if row.not_judged:
        yield f"nothing: {row.not_judged}"
    for name in row.by:
        kind, _, rule = name.rpartition(":")
        judges = list_judges(name)
        if kind == "kernel":
            yield f"the kernel's {_few(judges)} ({code(rule)})"
        elif kind == "vectors":
            yield f"recordings of {code(judges[0])}"
        elif name == "trace":
            yield "recordings of whole clusters"
        else:
            yield code(judges[0])


def _few(names: tuple[str, ...]) -> str:
    """Name a few of many."""
    shown = ", ".join(map(code, names[:3]))
    return shown if len(names) <= len(names[:3]) else f"{shown} and {len(names) - 3} more"
