"""The reference scheduler as one function: an evaluation and a snapshot in, plans and evaluations out."""

from __future__ import annotations

from typing import Final

from nomadspec.model.cluster.constraints.attributes import NotANumberError
from nomadspec.model.cluster.entities import Evaluation
from nomadspec.model.cluster.policy.destructive import UncomparableTasksError
from nomadspec.model.cluster.resources.use import PortBeyondLastError
from nomadspec.model.cluster.scheduler.attempts import Call, CallError
from nomadspec.model.cluster.scheduler.choices import Choices
from nomadspec.model.cluster.scheduler.generic import GenericScheduler
from nomadspec.model.cluster.scheduler.outcome import Asking, Outcome, Planner, answer_all
from nomadspec.model.cluster.scheduler.ranking.settings import NoConfigurationError
from nomadspec.model.cluster.scheduler.reasons import ReasonLog
from nomadspec.model.cluster.scheduler.snapshot import Snapshot
from nomadspec.model.cluster.scheduler.system import SystemScheduler
from nomadspec.model.specification.profiles import Profile

ABORTED: Final = "failed to process eval: "
"""What the text of an error begins with when the real scheduler would break off in the middle.

Spec: GENERIC-03, SYSTEM-07.
"""


_BREAKING_OFF: Final = (
    NotANumberError,
    PortBeyondLastError,
    UncomparableTasksError,
    NoConfigurationError,
)
"""What the real scheduler does not survive; what it wrote before stays written."""


def schedule(  # noqa: PLR0913 -- all that is not determined is an argument
    snapshot: Snapshot,
    evaluation: Evaluation,
    now_ns: int,
    choices: Choices,
    planner: Planner,
    *,
    scheduler: str,
    profile: Profile,
    with_reasons: bool = False,
    log: ReasonLog | None = None,
) -> Outcome:
    """Process one evaluation as the named scheduler does: service, batch, system or sysbatch.

    Whoever wants to follow the reasons while they arise gives a log.

    Spec: GENERIC-03, SYSTEM-01, SYSTEM-07.
    """
    call = Call(
        snapshot=snapshot,
        evaluation=evaluation,
        scheduler=scheduler,
        now_ns=now_ns,
        choices=choices,
        planner=planner,
        profile=profile,
        reasons=log or ReasonLog(is_on=with_reasons),
    )
    return answer_all(process(call), planner)


def process(call: Call) -> Asking[Outcome]:
    """Process the evaluation of a call, up to each plan and on with what came back for it.

    Spec: GENERIC-03, SYSTEM-01, SYSTEM-07.
    """
    kind = GenericScheduler if call.scheduler in {"service", "batch"} else SystemScheduler
    try:
        yield from kind(call).process()
    except CallError as error:
        return call.build(str(error))
    except _BREAKING_OFF as error:
        return call.build(f"{ABORTED}{error}")
    return call.build()
