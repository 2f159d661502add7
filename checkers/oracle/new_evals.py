"""What a new evaluation says beside what is chosen freely: what its maker sets, and nothing else."""

from __future__ import annotations

from collections.abc import Iterable
from operator import attrgetter
from typing import Any, Final, NamedTuple

from nomadspec.model.cluster.entities import Evaluation

_FREE: Final = frozenset({"id", "create_time_ns", "modify_time_ns"})
_SET: Final = tuple(name for name in Evaluation.__struct_fields__ if name not in _FREE)
_read_set: Final = attrgetter(*_SET)
_UNSET: Final = _read_set(Evaluation())


class NewEval(NamedTuple):
    """A new evaluation: its job, and what else is set of it."""

    namespace: str
    job_id: str
    told: tuple[tuple[str, Any], ...]


def read_new(evaluation: Evaluation) -> NewEval:
    """Read what is set of a new evaluation.

    Spec: TRIG-02, EVAL-10.
    """
    told = (
        (name, value if isinstance(value, str | int | float) else str(value))
        for name, value, unset in zip(_SET, _read_set(evaluation), _UNSET, strict=True)
        if value != unset
    )
    return NewEval(evaluation.namespace, evaluation.job_id, tuple(told))


def show_new(evals: Iterable[NewEval]) -> list[dict[str, Any]]:
    """Show new evaluations as a difference does."""
    return [dict(each.told) for each in evals]
