"""A program that answers as the model does, but for one mistake in each family."""

import copy
import sys
from collections.abc import Callable
from typing import Any

from nomadspec.checkers.conform.model_driver import converse, give


def _in_steps(answer: Any, change: Callable[[Any], None]) -> Any:
    for step in answer.get("ops") or answer.get("entries") or ():
        change(step)
    return answer


def place_one_too_few(_: str, answer: Any) -> Any:
    """Plan one allocation less than was asked for."""
    for plan in answer["plans"]:
        for allocs in plan["NodeAllocation"].values():
            if allocs:
                allocs.pop()
                return answer
    return answer


def let_everything_fit(_: str, answer: Any) -> Any:
    """Find that each node has room."""
    for verdict in answer["nodes"].values():
        verdict |= {"fit": True, "reason": ""}
    return answer


def forget_who_waits(_: str, answer: Any) -> Any:
    """Forget what is pending for its job."""
    return _in_steps(answer, lambda step: step["state"].update(pending={}))


def unblock_nothing(_: str, answer: Any) -> Any:
    """Hand nothing to the broker."""
    return _in_steps(answer, lambda step: step.update(enqueued=[]))


def leave_indexes(_: str, answer: Any) -> Any:
    """Write rows without dating the tables."""
    return _in_steps(answer, lambda step: step.update(indexes={}))


def meet_every_constraint(_: str, answer: Any) -> Any:
    """Find that each constraint is met."""
    return {**answer, "result": True}


def fit_everything(_: str, answer: Any) -> Any:
    """Find that everything fits."""
    return {**answer, "fits": True, "dimension": ""}


def reschedule_at_once(_: str, answer: Any) -> Any:
    """Reschedule without a delay."""
    return {**answer, "decision": {"now": True, "later": False, "time": None}}


def give_names_backwards(_: str, answer: Any) -> Any:
    """Give out the largest of the free names first."""

    def turn(step: Any) -> None:
        if isinstance(step.get("answer"), list):
            step["answer"] = step["answer"][::-1]

    return _in_steps(answer, turn)


def watch_nothing(_: str, answer: Any) -> Any:
    """Ask for nothing to be written."""
    return _in_steps(answer, lambda step: step.update(calls=[]))


CHANGES: dict[str, Callable[[str, Any], Any]] = {
    "scheduler": place_one_too_few,
    "plan-applier/plans": let_everything_fit,
    "broker/sequences": forget_who_waits,
    "blocked/sequences": unblock_nothing,
    "state-store/sequences": leave_indexes,
    "constraints/operands": meet_every_constraint,
    "fit-and-score/allocs-fit": fit_everything,
    "reschedule/cases": reschedule_at_once,
    "alloc-names/cases": give_names_backwards,
    "deployment-watcher/sequences": watch_nothing,
}
"""The mistake in each family, by the kind of questions in which it shows."""


def change(kind: str, answer: Any) -> Any:
    """Make the mistake of a kind, where there is one."""
    return CHANGES.get(kind, give)(kind, copy.deepcopy(answer))


if __name__ == "__main__":
    converse(sys.stdin, sys.stdout, change)
