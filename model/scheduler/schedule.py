"""The reference scheduler as one function: an evaluation and a snapshot in, plans and evaluations out."""

from __future__ import annotations

from typing import Final

from nomadspec.model.constraints.attributes import NotANumberError
from nomadspec.model.entities import Evaluation
from nomadspec.model.profile import NOMAD_2_0, Profile
from nomadspec.model.resources.use import PortBeyondLastError
from nomadspec.model.scheduler.attempts import Call, CallError
from nomadspec.model.scheduler.choices import Choices
from nomadspec.model.scheduler.generic import GenericScheduler
from nomadspec.model.scheduler.outcome import Outcome, Submit
from nomadspec.model.scheduler.reasons import ReasonLog
from nomadspec.model.scheduler.snapshot import Snapshot
from nomadspec.model.scheduler.system import SystemScheduler

ABORTED: Final = "failed to process eval: "
"""What the text of an error begins with when the real scheduler would break off in the middle.

Spec: GENERIC-03, SYSTEM-07.
"""


def schedule(  # noqa: PLR0913 -- all that is not determined is an argument
    snapshot: Snapshot,
    evaluation: Evaluation,
    now_ns: int,
    choices: Choices,
    submit: Submit,
    *,
    scheduler: str,
    profile: Profile = NOMAD_2_0,
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
        submit=submit,
        profile=profile,
        reasons=log or ReasonLog(is_on=with_reasons),
    )
    kind = GenericScheduler if scheduler in {"service", "batch"} else SystemScheduler
    try:
        kind(call).process()
    except CallError as error:
        return call.build(str(error))
    except (NotANumberError, PortBeyondLastError) as error:
        return call.build(f"{ABORTED}{error}")
    return call.build()
