"""The scenarios of whole clusters that show what is wrong with the described release, and its cures.

Each cure is that of a scenario in ``docs/scenarios/findings``. With all of them mended no property of whole
clusters is known to break: whatever a search breaks then is a finding that nobody knows. A scenario whose
cure is that of a finding about the kernel or a scheduler shows the same one; the others are findings of
clusters.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from nomadspec.model.specification.profiles import NOMAD_2_0, Profile, find_profile
from nomadspec.model.specification.quirk import Quirk
from nomadspec.model.specification.quirks import (
    AWAITED_CANARY,
    AWAITED_REPORT,
    CANCELLED_IS_DELIVERED,
    CANCELLED_IS_JOINED,
    CANCELLED_MEMBERS,
    COUNTED_ANEW,
    COUNTED_ONCE,
    CROWDED_CANARIES,
    DEPLOYED_AGAIN,
    DROPPED_DELAYED_FIRES,
    ENDLESS_ATTEMPTS,
    ERASED_REQUEST,
    ERROR_AFTER_DISPATCH,
    FORGOTTEN_BATCH,
    HASTY_CANCEL,
    HASTY_COLLECTION,
    HELD_FOR_NOTHING,
    KEPT_TWICE,
    LINGERING_UNKNOWN,
    NOTED_AS_NEW,
    OLD_APPOINTMENT,
    OLDEST_FIRST,
    ORPHANED_DEPLOYMENT,
    OUTDATED_JUDGEMENT,
    OVERWRITTEN_END,
    OVERWRITTEN_REPORT,
    PHANTOM_EFFECTS,
    RELABELLED_PLACEMENT,
    REPLACED_AGAIN,
    REPLACED_BY_NOTHING,
    REVIVED_ALLOCATION,
    REVIVED_VERSION,
    REWRITTEN_FAILURE,
    SHARED_FOLLOW_UP,
    SPENT_BY_A_NOTE,
    SPENT_NAMES,
    STALE_DEPLOYMENT,
    STORED_CORE_EVAL,
    STRAY_DEPLOYMENT,
    STUCK_DEPLOYMENT,
    SUCCESS_OF_NOTHING,
    SUCCESS_OF_THE_ENDED,
    SURPLUS_EVICTION,
    SURPLUS_RESCHEDULE,
    UNASKED_GRACE,
    UNASKED_REVERT,
    UNATTENDED_DEPLOYMENT,
    UNCHECKED_UPDATE,
    UNCOUNTED_UNKNOWN,
    UNDEPLOYED_CANARY,
    UNHEARD_CHILD,
    UNMADE_FOLLOW_UP,
    UNMARKED_END,
    UNNOTICED_END,
    UNPLACED_UNKNOWN,
    UNPROMOTED_SUCCESS,
    UNRELATED_STOP,
    UNREPLACED_CANARY,
    UNTOLD_SYSBATCH,
    UNVISITED_DEPLOYMENT,
    UPDATED_WHILE_DISCONNECTED,
    UPDATES_WHILE_HELD,
    VOID_EFFECTS,
)


@dataclass(frozen=True, slots=True)
class Shown:
    """A scenario of a whole cluster that shows a finding."""

    scenario: str
    """The name of its file in ``docs/scenarios/findings``."""
    violates: str
    cure: Quirk

    @property
    def file(self) -> str:
        """Give the place of its file in a checkout."""
        return f"docs/scenarios/findings/{self.scenario}.scenario"


SCENARIOS: Final = (
    Shown("alloc-is-placed-on-a-down-node", "no_live_alloc_on_down_node", OUTDATED_JUDGEMENT),
    Shown("alloc-is-placed-on-a-drained-node", "drained_node_is_empty", OUTDATED_JUDGEMENT),
    Shown("alloc-is-placed-on-an-ineligible-node", "ineligible_node_gets_no_alloc", OUTDATED_JUDGEMENT),
    Shown(
        "alloc-that-recovers-stays-counted-as-unhealthy", "counts_of_deployment_equal_allocs", COUNTED_ONCE
    ),
    Shown("blocked-eval-is-canceled-as-its-own-duplicate", "missing_alloc_is_looked_for", KEPT_TWICE),
    Shown("blocked-eval-is-forgotten-by-its-reaper", "blocked_eval_is_tracked", FORGOTTEN_BATCH),
    Shown(
        "canary-without-a-deployment-runs-beside-the-old-version",
        "no_more_allocs_than_count",
        UNDEPLOYED_CANARY,
    ),
    Shown("canceled-eval-is-delivered", "terminal_eval_stays_terminal", CANCELLED_IS_DELIVERED),
    Shown("canceled-follow-up-runs-at-its-time", "eval_is_in_one_place_of_broker", DROPPED_DELAYED_FIRES),
    Shown(
        "complete-follow-up-is-canceled-as-its-alloc-reconnects",
        "terminal_eval_stays_terminal",
        HASTY_CANCEL,
    ),
    Shown(
        "child-of-a-purged-job-is-registered-and-never-evaluated", "no_more_allocs_than_count", UNHEARD_CHILD
    ),
    Shown("core-eval-is-stored", "core_eval_is_never_stored", STORED_CORE_EVAL),
    Shown("deployment-is-left-alone", "deployment_ends_or_waits_for_operator", UNATTENDED_DEPLOYMENT),
    Shown(
        "deployment-of-a-purged-job-runs-for-ever",
        "active_deployment_is_of_current_version",
        ORPHANED_DEPLOYMENT,
    ),
    Shown(
        "deployment-of-a-system-job-succeeds-when-its-last-node-is-drained",
        "successful_deployment_is_healthy",
        SUCCESS_OF_NOTHING,
    ),
    Shown(
        "deployment-of-a-system-job-waits-for-lost-canaries",
        "deployment_to_be_promoted_has_its_canaries",
        AWAITED_CANARY,
    ),
    Shown(
        "deployment-succeeds-by-an-allocation-that-has-ended",
        "successful_deployment_is_healthy",
        SUCCESS_OF_THE_ENDED,
    ),
    Shown(
        "drain-ends-at-its-deadline-although-nothing-was-told-to-leave", "drained_node_is_empty", UNMARKED_END
    ),
    Shown("drain-stops-when-its-entry-fails", "drain_tells_allocs_to_leave", UNMARKED_END),
    Shown(
        "failed-alloc-loses-its-permission-to-be-rescheduled",
        "alloc_keeps_its_desired_transition",
        ERASED_REQUEST,
    ),
    Shown("forced-reschedule-is-forgotten", "alloc_keeps_its_desired_transition", ERASED_REQUEST),
    Shown(
        "drained-alloc-is-updated-in-place-and-stays", "alloc_keeps_its_desired_transition", ERASED_REQUEST
    ),
    Shown("drained-alloc-is-left-beside-a-failed-one", "drained_node_is_empty", NOTED_AS_NEW),
    Shown("drain-of-an-empty-node-never-ends", "drain_of_empty_node_ends", UNNOTICED_END),
    Shown("drain-that-waits-for-a-purged-job-never-ends", "drain_of_empty_node_ends", UNNOTICED_END),
    Shown(
        "failed-alloc-waits-for-a-follow-up-that-is-never-made",
        "missing_alloc_is_looked_for",
        UNMADE_FOLLOW_UP,
    ),
    Shown("failed-batch-job-never-runs-again", "missing_alloc_is_looked_for", SPENT_BY_A_NOTE),
    Shown(
        "finished-work-is-called-lost-and-done-again",
        "ended_alloc_stays_ended",
        OVERWRITTEN_REPORT,
    ),
    Shown(
        "deployment-succeeds-by-an-alloc-that-counts-twice",
        "counts_of_deployment_equal_allocs",
        COUNTED_ANEW,
    ),
    Shown("healthy-alloc-is-counted-twice", "counts_of_deployment_equal_allocs", COUNTED_ANEW),
    Shown(
        "job-runs-nowhere-after-a-successful-deployment", "successful_deployment_is_healthy", HELD_FOR_NOTHING
    ),
    Shown(
        "node-is-oversubscribed-by-an-entry-the-applier-cannot-see",
        "no_node_is_oversubscribed",
        ERROR_AFTER_DISPATCH,
    ),
    Shown(
        "drain-waits-for-allocs-that-joined-an-old-deployment",
        "alloc_joins_deployment_of_its_version",
        CANCELLED_IS_JOINED,
    ),
    Shown(
        "drain-waits-for-allocs-of-a-canceled-deployment",
        "alloc_joins_deployment_of_its_version",
        CANCELLED_IS_JOINED,
    ),
    Shown(
        "alloc-of-the-new-version-joins-the-old-deployment",
        "alloc_joins_deployment_of_its_version",
        STRAY_DEPLOYMENT,
    ),
    Shown(
        "new-version-runs-in-the-room-of-the-old-one",
        "alloc_has_the_room_its_version_asks_for",
        RELABELLED_PLACEMENT,
    ),
    Shown("node-that-reconnects-at-once-is-never-ready", "reachable_node_is_ready", AWAITED_REPORT),
    Shown("group-is-placed-in-room-that-is-taken-back", "rejected_plans_end_a_delivery", SURPLUS_EVICTION),
    Shown("migrated-alloc-has-the-name-of-a-canary", "names_of_live_allocs_are_distinct", SPENT_NAMES),
    Shown("lost-canary-is-not-placed-again", "deployment_to_be_promoted_has_its_canaries", UNREPLACED_CANARY),
    Shown("older-version-of-a-job-is-current-again", "version_of_job_never_decreases", REVIVED_VERSION),
    Shown(
        "paused-deployment-goes-on-to-replace",
        "paused_deployment_replaces_no_alloc",
        UPDATES_WHILE_HELD,
    ),
    Shown("paused-deployment-goes-on", "paused_deployment_stays_paused", STALE_DEPLOYMENT),
    Shown(
        "paused-deployment-succeeds-without-its-promotion",
        "successful_deployment_is_healthy",
        UNPROMOTED_SUCCESS,
    ),
    Shown("new-version-finds-no-room-after-its-entry-failed", "no_node_is_oversubscribed", PHANTOM_EFFECTS),
    Shown("plan-takes-room-that-a-failed-entry-was-to-free", "no_node_is_oversubscribed", PHANTOM_EFFECTS),
    Shown("plan-of-a-system-job-is-rejected-without-end", "rejected_plans_end_a_delivery", ENDLESS_ATTEMPTS),
    Shown(
        "system-alloc-comes-back-before-its-node-is-ready", "rejected_plans_end_a_delivery", ENDLESS_ATTEMPTS
    ),
    Shown(
        "preempted-job-runs-nowhere-after-an-update-in-place",
        "stopped_alloc_stays_stopped",
        REVIVED_ALLOCATION,
    ),
    Shown("purged-job-loses-the-end-of-its-eval", "terminal_eval_stays_terminal", OVERWRITTEN_END),
    Shown("lower-count-is-reverted", "deployment_desires_no_more_than_count", SURPLUS_RESCHEDULE),
    Shown(
        "service-that-is-scaled-down-waits-for-a-failed-alloc",
        "deployment_desires_no_more_than_count",
        SURPLUS_RESCHEDULE,
    ),
    Shown(
        "service-that-was-lost-is-deployed-again-and-fails",
        "deployed_version_is_not_deployed_again",
        DEPLOYED_AGAIN,
    ),
    Shown(
        "shared-follow-up-is-canceled-by-the-first-that-reconnects",
        "unknown_alloc_is_lost_after_its_time",
        SHARED_FOLLOW_UP,
    ),
    Shown("stopped-job-is-reverted-and-runs-again", "stopped_job_stays_stopped", UNASKED_REVERT),
    Shown("sysbatch-alloc-runs-for-ever-on-a-lost-node", "no_live_alloc_on_down_node", UNTOLD_SYSBATCH),
    Shown("system-alloc-is-unknown-for-good", "no_alloc_stays_unknown_past_lost_after", UNASKED_GRACE),
    Shown(
        "unknown-alloc-is-taken-for-the-new-version",
        "alloc_joins_deployment_of_its_version",
        REWRITTEN_FAILURE,
    ),
    Shown(
        "unknown-alloc-is-replaced-by-each-new-version",
        "deployment_desires_no_more_than_count",
        REPLACED_AGAIN,
    ),
    Shown(
        "unknown-alloc-takes-the-place-of-its-lost-replacement",
        "unknown_alloc_takes_no_place_of_a_lost_one",
        REPLACED_AGAIN,
    ),
    Shown(
        "unknown-alloc-that-found-no-room-is-not-replaced",
        "unplaced_unknown_alloc_has_an_eval",
        UNPLACED_UNKNOWN,
    ),
    Shown("unknown-alloc-waits-for-a-node-that-is-gone", "no_live_alloc_on_down_node", LINGERING_UNKNOWN),
    Shown("unknown-alloc-waits-for-a-node-that-is-down", "no_live_alloc_on_down_node", LINGERING_UNKNOWN),
    Shown(
        "unknown-alloc-with-another-lost-after-is-never-lost",
        "no_alloc_stays_unknown_past_lost_after",
        OLD_APPOINTMENT,
    ),
    Shown("update-in-place-is-committed-without-room", "no_node_is_oversubscribed", UNCHECKED_UPDATE),
    Shown(
        "update-of-a-disconnected-alloc-is-rejected-for-ever",
        "live_alloc_on_disconnected_node_becomes_unknown",
        UPDATED_WHILE_DISCONNECTED,
    ),
    Shown(
        "version-that-no-node-can-take-replaces-one-that-runs",
        "successful_deployment_is_healthy",
        REPLACED_BY_NOTHING,
    ),
)
"""Every scenario that shows a finding; its file says the same of itself."""

CURES: Final = tuple(sorted({shown.cure for shown in SCENARIOS}, key=lambda cure: cure.id))

COMPANIONS: Final = (
    CANCELLED_MEMBERS,
    CROWDED_CANARIES,
    HASTY_COLLECTION,
    OLDEST_FIRST,
    STUCK_DEPLOYMENT,
    UNCOUNTED_UNKNOWN,
    UNRELATED_STOP,
    UNVISITED_DEPLOYMENT,
    VOID_EFFECTS,
)
"""Quirks that break clusters once a cure is made, or only in long walks.

A paused deployment of a system job that has lost its last node is called successful (X-53); without that the
next version leaves it paused, for no node is visited that would cancel it.

Of the pending evaluations of a job the one of the highest priority is kept, even if it was canceled while
it was woken. The release delivers it all the same (BUG-013); without that nobody looks at the last change
of the job.

An evaluation that is collected while the broker has it is written anew as canceled (X-21): that is F-15,
which the kernel shows. It shows F-41 as well: a plan is committed into room that an entry was to free, which
the store refused (X-18). That a system allocation does not count for its deployment as it becomes
unknown (X-59) is D-16, which single decisions show.

No more is placed at once than the count, canaries with it (04/S-18, which D-15 shows). So a canary that is
placed again keeps the old allocation from being placed that was lost with it, and nothing misses that one
until the promotion.

An unknown allocation that was replaced is left alone (X-69), so that it and its replacement have one name as
it comes back. The one that goes then is chosen by names, among them those of lost ones (04/S-11), and may be
the only one of its name.

A deployment of a system job that was canceled stays the current one (05/S2), so that allocations of later
versions join it as those of services do in C-16. Those of a version without an update block join it in any
case (05/S14). No drain waits for them: those of system jobs leave without a look at health.
"""


def make_cured_profile() -> Profile:
    """Make the profile of the release in which all that is known to break clusters is mended."""
    return find_profile(" ".join((NOMAD_2_0.name, *(f"-{cure.id}" for cure in (*CURES, *COMPANIONS)))))
