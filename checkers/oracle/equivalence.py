"""What may differ between a recording and the model without being wrong: one table, each row with its reason.

A judge that needs a row counts it with ``context.forgive(row.id)``. A corruption of a recording that is
accepted is forgiven only by a row that fits its place and allows both values.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from nomadspec.checkers.oracle.paths import fits
from nomadspec.model.cluster.scheduler.schedule import ABORTED

Allows = Callable[[Any, Any], bool]
"""Whether one value may stand for another."""


def are_both_said(recorded: object, other: object) -> bool:
    """True if both say something, whatever the wording."""
    return isinstance(recorded, str) and isinstance(other, str) and bool(recorded) and bool(other)


def has_same_reason(recorded: object, other: object) -> bool:
    """True if refusals differ by nothing but the details behind the second colon."""
    if not (isinstance(recorded, str) and isinstance(other, str)):
        return False
    return "port collision: " in recorded and recorded.split(": ")[:2] == other.split(": ")[:2]


def are_both_broken_off(recorded: object, other: object) -> bool:
    """True if both tell that a scheduler broke off, in whatever words."""
    return all(isinstance(text, str) and text.startswith(ABORTED) for text in (recorded, other))


def is_the_servers_time(recorded: object, other: object) -> bool:
    """True if a time is recorded where the server looked at its own clock, whichever it is."""
    return recorded == "NOW" and bool(other)


def are_numbers(recorded: object, other: object) -> bool:
    """True if both are numbers; the judge checks that the number was free to be chosen."""
    return isinstance(recorded, int) and isinstance(other, int)


def is_never(recorded: object, other: object) -> bool:  # noqa: ARG001 -- as every other
    """True if any other value will do: none will, and the judge knows the one case in which it may differ."""
    return False


def is_repeated_promotion(recorded: object, other: object) -> bool:
    """True if the same automatic promotion is asked for again."""
    if not (isinstance(recorded, list) and isinstance(other, list)):
        return False
    return _without_repeated_promotions(recorded) == _without_repeated_promotions(other)


def _without_repeated_promotions(calls: list[Any]) -> list[Any]:
    return [
        call for at, call in enumerate(calls) if not (at and call == calls[at - 1] and _is_promotion(call))
    ]


def _is_promotion(call: object) -> bool:
    return isinstance(call, Mapping) and call.get("call") == "DeploymentPromote"


def is_reordered(recorded: object, other: object) -> bool:
    """True if the same elements stand in another order."""
    if not (isinstance(recorded, list) and isinstance(other, list)):
        return False
    return Counter(map(repr, recorded)) == Counter(map(repr, other))


def is_same_but_for_zeros(recorded: object, other: object) -> bool:
    """True if only members are left out that say nothing."""
    return _without_zeros(recorded) == _without_zeros(other)


def _without_zeros(tree: object) -> object:
    if isinstance(tree, dict):
        return {name: kept for name, item in tree.items() if (kept := _without_zeros(item))}
    return [_without_zeros(item) for item in tree] if isinstance(tree, list) else tree


@dataclass(frozen=True, slots=True)
class Row:
    """One thing that may differ."""

    id: str
    kind: str
    """The kind of recordings, such as ``broker/sequences``; ``trace`` for whole clusters."""
    pattern: str
    """Where it may differ, as a pattern of paths."""
    reason: str
    """Why: what is open in the real system, or was not recorded."""
    allows: Allows
    """Which other value may stand there."""


WALL_CLOCK: Final = "wall-clock"
ORDER_OF_EVENTS: Final = "order-of-events"
BROKEN_OFF: Final = "broken-off"
REFUSED_REBLOCK: Final = "refused-reblock"

EQUIVALENCES: Final[tuple[Row, ...]] = (
    Row(
        "collision-details",
        "plan-applier/plans",
        "^nodes.*.reason",
        "which of several colliding ports is named depends on the order of a map",
        has_same_reason,
    ),
    Row(
        "collision-details",
        "fit-and-score/allocs-fit",
        "^dimension",
        "which of several colliding ports is named depends on the order of a map",
        has_same_reason,
    ),
    Row(
        "errors-met-before-the-stop",
        "plan-applier/plans",
        "^error",
        "nodes are checked in parallel, and the text counts the errors met before the rest was stopped",
        are_both_said,
    ),
    Row(
        WALL_CLOCK,
        "state-store/sequences",
        "^entries[].tables",
        "the server took this time from its own clock while it applied the entry; it is recorded as present",
        is_the_servers_time,
    ),
    Row(
        "chosen-port",
        "fit-and-score/ports",
        "^ports[].Value_recorded",
        "a dynamic port is drawn at random among those that are free",
        are_numbers,
    ),
    Row(
        "repeated-promotion",
        "deployment-watcher/sequences",
        "^ops[].calls",
        "an automatic promotion is asked for again until the watcher sees its effect, and was recorded once",
        is_repeated_promotion,
    ),
    Row(
        "unrecorded-offer",
        "blocked/sequences",
        "^ops[].enqueued",
        "whoever recorded these offered evaluations to the broker, and left out those that did not come out; "
        "the broker knows them all the same",
        is_never,
    ),
    Row(
        WALL_CLOCK,
        "trace",
        "^tables",
        "the server took this time from its own clock while it applied the entry; the log does not hold it",
        is_never,
    ),
    Row(
        "leader-memory",
        "trace",
        "^events",
        "a server that leads shares evaluations between its memory and its store: `NextEval` and `Wait` show "
        "before they are written, on that server alone",
        is_never,
    ),
    Row(
        ORDER_OF_EVENTS,
        "trace",
        "^events[].Events",
        "the events of a batch stand in the order of the last writes, which in part is the order of a map",
        is_reordered,
    ),
    Row(
        "lost-bytes",
        "trace",
        "^tables",
        "the log is shown as text, in which bytes that are no text are replaced",
        is_never,
    ),
    Row(
        BROKEN_OFF,
        "scheduler",
        "^outcome.error",
        "what a scheduler says that breaks off in the middle is worded by the runtime of its language",
        are_both_broken_off,
    ),
    Row(
        REFUSED_REBLOCK,
        "scheduler",
        "^outcome.error",
        "a server that takes no blocked evaluation back was stood in for, and that has words of its own",
        are_both_said,
    ),
    Row(
        "absent-is-zero",
        "scheduler",
        "^outcome",
        "a member that is absent, null, zero or empty says the same",
        is_same_but_for_zeros,
    ),
)
"""The table. What is not in it must be equal."""


ROW_IDS: Final = frozenset(row.id for row in EQUIVALENCES)


def find_row(kind: str, path: str, recorded: object, other: object) -> Row | None:
    """Find the row that lets another value stand at a place of a recording."""
    return next(
        (
            row
            for row in EQUIVALENCES
            if row.kind == kind and fits(row.pattern, path) and row.allows(recorded, other)
        ),
        None,
    )
