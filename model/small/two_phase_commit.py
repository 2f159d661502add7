"""Two-phase commit: a transaction manager and any number of resource managers agree to commit or to abort.

The protocol of Lamport's TLA+ module TwoPhase. Messages are never removed, so a message is a flag that stays
up once it was sent. Known counts calibrate an explorer: 5 managers have 8,832 worlds, 8 have 1,745,408, which
are 1,461 when managers are interchangeable.
"""

from enum import IntEnum

from nomadspec.model.language.domain import FLAG, Id
from nomadspec.model.language.logic import Flag, any_of, exists, for_all
from nomadspec.model.language.model import Model
from nomadspec.model.language.rule import rule, weak
from nomadspec.model.language.scope import Scope
from nomadspec.model.language.world import World, field, ids
from nomadspec.model.specification.quirks import HASTY_COMMIT


class Manager(IntEnum):
    """What a resource manager has done."""

    WORKING = 0
    PREPARED = 1
    COMMITTED = 2
    ABORTED = 3


class Decision(IntEnum):
    """What the transaction manager has decided."""

    NONE_YET = 0
    COMMIT = 1
    ABORT = 2


class TwoPhase(World):
    """The managers' states and the messages that were sent."""

    rms = ids("rm", 5, "resource managers")

    state = field(rms, Manager, init=Manager.WORKING, about="what each resource manager has done")
    prepared_sent = field(rms, FLAG, init=False, about="the message that a manager is prepared was sent")
    counted = field(rms, FLAG, init=False, about="the transaction manager has received that message")
    decision = field(Decision, init=Decision.NONE_YET, about="what the transaction manager has decided")
    commit_sent = field(FLAG, init=False, about="the message to commit was sent, to all")
    abort_sent = field(FLAG, init=False, about="the message to abort was sent, to all")


@rule("TwoPhase!TMRcvPrepared", actor="manager", fair=weak("rm"), rm=TwoPhase.rms)
def count_prepared(s: TwoPhase, t: TwoPhase, rm: Id) -> None:
    """The transaction manager receives that a resource manager is prepared."""
    t.require(s.decision == Decision.NONE_YET, s.prepared_sent[rm])
    t.counted[rm] = True


@rule("TwoPhase!TMCommit", actor="manager", fair=weak())
def decide_commit(s: TwoPhase, t: TwoPhase) -> None:
    """The transaction manager commits when every resource manager is prepared."""
    enough = exists if s.has(HASTY_COMMIT) else for_all
    t.require(s.decision == Decision.NONE_YET, enough(s.counted[rm] for rm in s.rms))
    t.decision = Decision.COMMIT
    t.commit_sent = True


@rule("TwoPhase!TMAbort", actor="manager", fair=weak())
def decide_abort(s: TwoPhase, t: TwoPhase) -> None:
    """The transaction manager aborts while it has not decided."""
    t.require(s.decision == Decision.NONE_YET)
    t.decision = Decision.ABORT
    t.abort_sent = True


@rule("TwoPhase!RMPrepare", rm=TwoPhase.rms)
def prepare(s: TwoPhase, t: TwoPhase, rm: Id) -> None:
    """A working resource manager prepares and says so."""
    t.require(s.state[rm] == Manager.WORKING)
    t.state[rm] = Manager.PREPARED
    t.prepared_sent[rm] = True


@rule("TwoPhase!RMChooseToAbort", rm=TwoPhase.rms)
def choose_abort(s: TwoPhase, t: TwoPhase, rm: Id) -> None:
    """A working resource manager aborts on its own."""
    t.require(s.state[rm] == Manager.WORKING)
    t.state[rm] = Manager.ABORTED


@rule("TwoPhase!RMRcvCommitMsg", fair=weak("rm"), rm=TwoPhase.rms)
def obey_commit(s: TwoPhase, t: TwoPhase, rm: Id) -> None:
    """A resource manager is told to commit and does."""
    t.require(s.commit_sent)
    t.state[rm] = Manager.COMMITTED


@rule("TwoPhase!RMRcvAbortMsg", fair=weak("rm"), rm=TwoPhase.rms)
def obey_abort(s: TwoPhase, t: TwoPhase, rm: Id) -> None:
    """A resource manager is told to abort and does."""
    t.require(s.abort_sent)
    t.state[rm] = Manager.ABORTED


def is_at_rest(s: TwoPhase) -> Flag:
    """True while a decision was made; what was sent can still be received again."""
    return any_of(s.commit_sent, s.abort_sent)


TWO_PHASE_COMMIT = Model(
    name="2pc",
    about="two-phase commit with messages that are never removed",
    world=TwoPhase,
    rules=(count_prepared, decide_commit, decide_abort, prepare, choose_abort, obey_commit, obey_abort),
    is_at_rest=is_at_rest,
    scopes=(
        Scope("small", "five resource managers", {"rms": 5}),
        Scope("full", "eight resource managers, for measuring", {"rms": 8}),
        Scope(
            "hasty", "the transaction manager does not wait for all: must fail", {"rms": 3}, HASTY_COMMIT.id
        ),
    ),
)
