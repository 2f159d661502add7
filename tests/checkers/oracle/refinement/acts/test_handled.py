"""Which evaluations the kernel takes for those that no scheduler handles."""

import pytest

from nomadspec.checkers.oracle.refinement.acts.sight import is_unhandled
from nomadspec.model.cluster.entities import Evaluation, Trigger
from nomadspec.model.cluster.scheduler import generic
from nomadspec.model.cluster.scheduler.system import HANDLED, list_handled
from nomadspec.model.specification.profiles import INTENDED, NOMAD_2_0, Profile
from nomadspec.model.specification.quirks import DEAD_END

TYPES = ("service", "batch", *HANDLED)


def _list_handled(scheduler: str, profile: Profile) -> frozenset[str]:
    return list_handled(scheduler, profile) if scheduler in HANDLED else frozenset(generic.HANDLED)


@pytest.mark.parametrize("scheduler", TYPES)
@pytest.mark.parametrize("profile", [NOMAD_2_0, INTENDED], ids=lambda profile: profile.name)
def test_what_no_scheduler_handles_is_that_of_its_profile(scheduler: str, profile: Profile) -> None:
    """SYSTEM-02, SYSTEM-06, 02/S12: one trigger differs, and where it does no evaluation is made for it.

    With the dead end a system scheduler leaves no evaluation behind when its attempts are used up, and no
    other component makes one of this type for that trigger.
    """
    seen = {one for one in Trigger if is_unhandled(Evaluation(id="e", type=scheduler, triggered_by=one))}
    unhandled = set(Trigger) - _list_handled(scheduler, profile)
    is_never_made = profile.has(DEAD_END) and scheduler in HANDLED

    assert unhandled - seen == ({Trigger.MAX_PLAN_ATTEMPTS} if is_never_made else set())
    assert not seen - unhandled
