"""Where recordings of the real server contradict a rule of the specification, and the model follows them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Deviation:
    """One rule that recordings contradict."""

    rule: str
    """The ID of the rule."""
    recordings: str
    """Which recordings show it: a kind of recordings, or a name among them."""
    said: str
    """What the rule says."""
    recorded: str
    """What the server did."""
    place: str
    """The module that does as the server did."""
    example: str = ""
    """The name of one recording that shows it, and where inside; without one, many do."""


@dataclass(frozen=True, slots=True)
class Observation:
    """Something about recordings that their description does not say and that a judge has to know."""

    recordings: str
    """A kind of recordings."""
    seen: str
    """What was seen."""
    judged: str
    """How it is judged."""


DEVIATIONS: Final[tuple[Deviation, ...]] = (
    Deviation(
        "BLOCKED-12",
        "blocked/sequences",
        "A newer entry of a job for a node takes the older one out of the evaluations kept by node.",
        "A system evaluation that is blocked again while it is tracked takes itself out: it stays captured, "
        "is its own duplicate (BLOCKED-22), and its node remembers it no longer.",
        "model/cluster/components/blocked.py",
        "blocked-037 ops[10], blocked-053 ops[4]",
    ),
    Deviation(
        "BROKER-16",
        "broker/sequences",
        "Which of two pending evaluations of a job that tie in every key comes first is left open.",
        "It is not open: each of the two counts as before the other, so the one that moves in the heap wins.",
        "model/cluster/components/broker_state.py",
    ),
    Deviation(
        "DEP-48",
        "deployment-watcher/sequences",
        "A call about a deployment that has ended is refused in words of its own for each verb.",
        "Those are the words of the endpoint. Past it, where no watcher is left, every verb is answered that "
        'the deployment `"<id>" is terminal`, a text that no rule gives.',
        "model/cluster/components/deployment_calls.py",
        "dep-018 ops[3], dep-095 ops[11]",
    ),
    Deviation(
        "DEP-52",
        "deployment-watcher/sequences",
        "A report about the health of no allocation at all is refused.",
        "Only the endpoint refuses it. A watcher takes it, writes it, and makes an evaluation.",
        "model/cluster/components/deployment_calls.py",
        "dep-001 ops[5], dep-020 ops[1]",
    ),
    Deviation(
        "GENERIC-56",
        "scheduler",
        "Each constraint and affinity of the older version of a device request has an equal in the newer.",
        "It is the other way round: each of the newer version has an equal one in the older. A request whose "
        "two constraints became one, told twice, is followed in place.",
        "model/cluster/policy/destructive.py",
    ),
    Deviation(
        "JOB-25",
        "trace",
        "A child is a copy of its parent but for what the rule lists.",
        "`SubmitTime` is not copied: it is the moment in which the child is made.",
        "model/cluster/components/periodic.py",
        "periodic",
    ),
    Deviation(
        "NODEST-02",
        "state-store/sequences",
        "Registering never changes the status of a node that is known.",
        "The store takes the status of the request; it is the handler that keeps the old one.",
        "model/cluster/store/nodes.py",
        "seq-024 entries[3], seq-082 entries[15]",
    ),
    Deviation(
        "NODEST-21",
        "state-store/sequences",
        "A pool with nodes or with jobs that have not ended cannot be deleted.",
        "The store deletes it; it is the handler that looks for nodes and jobs.",
        "model/cluster/store/settings.py",
        "seq-033 entries[15], seq-095 entries[29]",
    ),
    Deviation(
        "OBJ-042",
        "job-admission/spec-changed",
        "Two specifications are compared after the submitted one was canonicalised.",
        "They are compared as they are given: a restart policy that is left out differs from one that says "
        "the defaults.",
        "model/cluster/admission/spec_change.py",
        "spec-118",
    ),
    Deviation(
        "OBJ-070",
        "job-admission/admission",
        "The options that were removed from groups are always empty: a value is dropped.",
        "It is the API that drops them. A job that reaches the server with one keeps it, and is warned.",
        "model/cluster/admission/warnings.py",
        "adm-0315",
    ),
    Deviation(
        "OBJ-106",
        "job-admission/admission",
        "A longest delay below five seconds is refused for what it is.",
        "It is refused, and the text prints the delay in its place.",
        "model/cluster/admission/policies.py",
        "adm-0104",
    ),
    Deviation(
        "OBJ-108",
        "job-admission/admission",
        "Groups of every type of job have a default restart policy.",
        "The server has one for three types. A sysbatch group without one gets none and is refused; the "
        "default of sysbatch is filled in by the API alone.",
        "model/cluster/admission/canonical.py",
        "adm-0982",
    ),
    Deviation(
        "OBJ-141",
        "periodic/next-launch",
        "A local time that a day does not have is skipped, and only such a time.",
        "On Lord Howe the clock goes from 2:00 to 2:30. 2:30 exists that day, and `30 2 * * *` does not "
        "fire: the hour is passed over because it does not begin.",
        "model/cluster/policy/cron.py",
        "cron-0250",
    ),
    Deviation(
        "OBJ-414",
        "trace",
        "An update of a deployment's status dates the deployment by its own time.",
        "In a plan the updates bear no time, and the deployment is dated by that of the plan.",
        "model/cluster/store/plans.py",
    ),
    Deviation(
        "PREEMPT-11",
        "scheduler",
        "Which of two allocations of equal cost is picked is left open.",
        "It is not open once the order of allocations is given: the first is, and the last that waits takes "
        "the place of each that was picked.",
        "model/cluster/scheduler/preemption/resources.py",
    ),
    Deviation(
        "RANK-33",
        "scheduler",
        "Which of several groups of devices that serve a request equally well is chosen is left open.",
        "It is not open once their order is given: the last is.",
        "model/cluster/scheduler/ranking/fit.py",
    ),
    Deviation(
        "RANK-62",
        "scheduler",
        "Only in the first search of a group are stops spared before values are folded.",
        "After another version of the job was placed the next search of each group is its first again.",
        "model/cluster/scheduler/ranking/spread.py",
    ),
    Deviation(
        "RANK-74",
        "scheduler",
        "The order of equal scores is left open, or is that of visits.",
        "It is that of a binary heap: a better score takes the place of the least and is sifted down.",
        "model/cluster/scheduler/best_scores.py",
    ),
    Deviation(
        "RANK-78",
        "scheduler",
        "The community edition refuses pools with a configuration of their own.",
        "It is the endpoint that refuses them. The scheduler follows one that is in the state.",
        "model/cluster/scheduler/ranking/settings.py",
    ),
    Deviation(
        "SYSTEM-22",
        "scheduler",
        "Which allocations are replaced first, within the limit, is left open.",
        "It is not open once the order of nodes is given: each allocation that is updated in place hands its "
        "turn to the last one that waits, and those to be replaced come in the order that this leaves.",
        "model/cluster/scheduler/system_updates.py",
    ),
)
"""All that are known, in the order of the rules."""

OBSERVATIONS: Final[tuple[Observation, ...]] = (
    Observation(
        "broker/sequences",
        "Between some operations two or three virtual milliseconds pass instead of one.",
        "Attempts that came to nothing were not recorded. A clock that moves further than it must is taken "
        "as it is, and all timers that fall due fire; one that moves less is a difference.",
    ),
    Observation(
        "blocked/sequences",
        "Some evaluations are handed to the broker and do not show up as new to it, though no operation made "
        "them known.",
        "They were offered to the broker by whoever recorded, and were not let out because others of their "
        "job were there. Such an offer is supposed where nothing else explains the recording, as seldom as "
        "can be, and the row `unrecorded-offer` counts it.",
    ),
)
"""What else there is to know of them."""
