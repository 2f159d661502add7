"""What an implementation is free to answer otherwise, or to leave out, without having to say what it chose.

Which port is drawn, which of several queues is served, which error of a parallel check comes first: there the
model follows the answer, if it was open. What is left to say is here: lists that are sets, and members that
report a choice or how something is kept.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from nomadspec.checkers.conform.question_and_answer import Json
from nomadspec.checkers.oracle.judgement import ABSENT
from nomadspec.checkers.oracle.paths import fits, step_into

SETS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "alloc-names/cases": ("state.used", "initial.used"),
        "blocked/sequences": ("enqueued", "state.captured", "state.escaped", "state.system_by_node.*"),
        "broker/sequences": ("state.ready.*", "state.pending.*", "state.wait", "state.delayed", "any_of"),
        "deployment-watcher/sequences": ("calls[].healthy", "calls[].unhealthy", "calls[].evals"),
        "plan-applier/plans": ("rejected", "rejected_one_of"),
        "state-store/sequences": (
            "tables.*.created",
            "tables.*.changed",
            "tables.*.deleted",
        ),
    }
)
"""Lists whose order says nothing, such as the array in which a queue keeps its heap."""

OPTIONAL: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "alloc-names/cases": ("initial.size", "state.size"),
        "broker/sequences": ("any_of",),
        "fit-and-score/allocs-fit": (
            "score_binpack.bits",
            "score_spread.bits",
            "score_binpack",
            "score_spread",
        ),
        "fit-and-score/scores": ("score_binpack.bits", "score_spread.bits"),
        "fit-and-score/ports": ("collision_reason",),
        "plan-applier/plans": ("order_dependent", "expected", "actual", "no_op", "full_commit"),
        "state-store/sequences": ("tables.node_pools.*[].Hash", "tables.namespaces.*[].Hash"),
    }
)
"""Members that may be left out: choices, derived counts, bits beside a number, and opaque checksums."""

CLOCK: Final = "2020-01-01T00:00:00"
"""What the clock of a server shows while it applies the entries of a question."""

_STORE: Final = "state-store/sequences"
_PLANS: Final = "plan-applier/plans"
_CLOCK_MEMBER: Final = re.compile(r"\.(?:Launch|RequireProgressBy|Timestamp)$")


def adapt(kind: str, answer: Json, model: Mapping[str, Json]) -> Json:
    """Write an answer in the words of recordings where it may say the same in others."""
    if kind == _STORE:
        return _name_clock(answer, "")
    if kind == _PLANS and isinstance(answer, Mapping):
        return _name_rejected(answer, model)
    return answer


def _name_clock(tree: Json, path: str) -> Json:
    """Call a time of the clock ``NOW``, as recordings do."""
    match tree:
        case Mapping():
            return {name: _name_clock(item, step_into(path, name)) for name, item in tree.items()}
        case list():
            return [_name_clock(item, step_into(path, at)) for at, item in enumerate(tree)]
        case str() if tree.startswith(CLOCK) and _CLOCK_MEMBER.search(path):
            return "NOW"
    return tree


def _name_rejected(answer: Mapping[str, Json], model: Mapping[str, Json]) -> Json:
    """Accept one rejected node where one of several has to be named."""
    open_ones = model.get("rejected_one_of")
    told = answer.get("rejected")
    if "rejected_one_of" in answer or not isinstance(open_ones, list) or not isinstance(told, list):
        return answer
    if len(told) != 1 or told[0] not in open_ones:
        return answer
    rest = {name: item for name, item in answer.items() if name != "rejected"}
    return {**rest, "rejected_one_of": open_ones}


def align(kind: str, told: Json, model: Json, without: Sequence[str], path: str = "") -> tuple[Json, Json]:
    """Bring an answer and that of the model into the form in which only what is wrong differs.

    Members that are null count as absent, sets are sorted, and what may be left out and is, is left out on
    both sides.
    """
    if isinstance(told, Mapping) and isinstance(model, Mapping):
        return _align_members(kind, told, model, without, path)
    if isinstance(told, list) and isinstance(model, list):
        return _align_items(kind, told, model, without, path)
    return told, model


def _align_members(
    kind: str, told: Mapping[str, Json], model: Mapping[str, Json], without: Sequence[str], path: str
) -> tuple[Json, Json]:
    left: dict[str, Json] = {}
    right: dict[str, Json] = {}
    for name in (*told, *(name for name in model if name not in told)):
        inside = step_into(path, name)
        ours, theirs = _read(model, name), _read(told, name)
        if any(fits(pattern, inside) for pattern in without):
            continue
        if theirs is ABSENT and any(fits(pattern, inside) for pattern in OPTIONAL.get(kind, ())):
            continue
        theirs, ours = align(kind, theirs, ours, without, inside)
        left |= {} if theirs is ABSENT else {name: theirs}
        right |= {} if ours is ABSENT else {name: ours}
    return left, right


def _read(members: Mapping[str, Json], name: str) -> Json:
    value = members.get(name)
    return ABSENT if value is None else value


def _align_items(
    kind: str, told: list[Json], model: list[Json], without: Sequence[str], path: str
) -> tuple[Json, Json]:
    if any(_ends_with(pattern, path) for pattern in SETS.get(kind, ())):
        told, model = sorted(told, key=_sort_key), sorted(model, key=_sort_key)
    pairs = [
        align(kind, theirs, ours, without, step_into(path, at))
        for at, (theirs, ours) in enumerate(zip(told, model, strict=False))
    ]
    shared = len(pairs)
    return [left for left, _ in pairs] + told[shared:], [right for _, right in pairs] + model[shared:]


def blend(kind: str, told: Json, model: Json, without: Sequence[str], path: str = "") -> Json:
    """Give what the model answers wherever an answer says the same, and the answer where it does not."""
    if align(kind, told, model, without, path)[0] == align(kind, told, model, without, path)[1]:
        return model
    if isinstance(told, Mapping) and isinstance(model, Mapping):
        names = (*told, *(name for name in model if name not in told))
        members = {name: _blend_member(name, kind, told, model, without, path) for name in names}
        return {name: item for name, item in members.items() if item is not ABSENT}
    is_set = any(_ends_with(pattern, path) for pattern in SETS.get(kind, ()))
    if isinstance(told, list) and isinstance(model, list) and not is_set:
        pairs = enumerate(zip(told, model, strict=False))
        blended = [blend(kind, left, right, without, step_into(path, at)) for at, (left, right) in pairs]
        return [*blended, *told[len(blended) :]]
    return told


def _blend_member(
    name: str,
    kind: str,
    told: Mapping[str, Json],
    model: Mapping[str, Json],
    without: Sequence[str],
    path: str,
) -> Json:
    inside = step_into(path, name)
    theirs, ours = _read(told, name), _read(model, name)
    is_open = any(fits(pattern, inside) for pattern in without)
    is_left = theirs is ABSENT and any(fits(pattern, inside) for pattern in OPTIONAL.get(kind, ()))
    if is_open or is_left or theirs == ours:
        return model.get(name, ABSENT)
    return blend(kind, theirs, ours, without, inside)


def _ends_with(pattern: str, path: str) -> bool:
    """True if a pattern fits the end of a path, and not some part before it."""
    return fits(pattern, path) and not fits(f"{pattern}.*", path) and not fits(f"{pattern}[]", path)


def _sort_key(item: Json) -> str:
    """Sort rows by what names them, and anything else by all of it."""
    if isinstance(item, Mapping):
        names = [str(item.get(name, "")) for name in ("Namespace", "ID", "JobID", "Name", "Version")]
        return "\x00".join(names)
    return repr(item)
