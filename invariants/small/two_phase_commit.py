"""What must be true of two-phase commit."""

import sys

from nomadspec.model.language.domain import Id
from nomadspec.model.language.logic import Flag, all_of, any_of, exists, for_all, iff, implies, not_, one_of
from nomadspec.model.language.property import always, eventually, lemma, properties_in, sometimes, step
from nomadspec.model.small.two_phase_commit import TWO_PHASE_COMMIT as RULES
from nomadspec.model.small.two_phase_commit import Decision, Manager, TwoPhase


@always("TwoPhase!TCConsistent", why="no manager may undo what another has done")
def managers_agree(s: TwoPhase) -> Flag:
    """No manager has committed while another has aborted."""
    return for_all(
        not_(all_of(s.state[one] == Manager.ABORTED, s.state[other] == Manager.COMMITTED))
        for one in s.rms
        for other in s.rms
    )


@step("TwoPhase!TMCommit", "TwoPhase!TMAbort", why="a manager that was told a decision relies on it")
def decision_is_final(s: TwoPhase, n: TwoPhase) -> Flag:
    """A decision, once made, stays."""
    return implies(s.decision != Decision.NONE_YET, n.decision == s.decision)


@step("TwoPhase!RMPrepare", why="a manager that has finished cannot begin again")
def finished_managers_stay(s: TwoPhase, n: TwoPhase) -> Flag:
    """A manager which has committed or aborted prepares no more."""
    return for_all(
        implies(one_of(s.state[rm], Manager.COMMITTED, Manager.ABORTED), n.state[rm] != Manager.PREPARED)
        for rm in s.rms
    )


@sometimes("TwoPhase!TMCommit", why="a protocol that never commits would be safe and useless")
def all_commit(s: TwoPhase) -> Flag:
    """Every manager has committed."""
    return for_all(s.state[rm] == Manager.COMMITTED for rm in s.rms)


@sometimes("TwoPhase!RMChooseToAbort", why="agreement is only interesting where someone aborts")
def someone_aborts(s: TwoPhase) -> Flag:
    """Some manager has aborted before anything was decided."""
    return exists(all_of(s.state[rm] == Manager.ABORTED, s.decision == Decision.NONE_YET) for rm in s.rms)


@eventually(
    "TwoPhase!TMAbort", why="a manager that is prepared holds locks until it is told", rm=TwoPhase.rms
)
def everyone_is_told(s: TwoPhase, rm: Id) -> Flag:
    """The manager has committed or aborted."""
    return one_of(s.state[rm], Manager.COMMITTED, Manager.ABORTED)


@lemma("TwoPhase!TMCommit", "TwoPhase!TMAbort", why="messages say what was decided")
def messages_tell_the_decision(s: TwoPhase) -> Flag:
    """The message to commit or abort was sent exactly with the decision."""
    return all_of(
        iff(s.commit_sent, s.decision == Decision.COMMIT),
        iff(s.abort_sent, s.decision == Decision.ABORT),
    )


@lemma("TwoPhase!TMRcvPrepared", why="a manager is counted only for a message that it sent")
def counted_was_sent(s: TwoPhase) -> Flag:
    """A manager is counted only after its message was sent."""
    return for_all(implies(s.counted[rm], s.prepared_sent[rm]) for rm in s.rms)


@lemma("TwoPhase!RMPrepare", why="a manager that said it is prepared no longer decides")
def prepared_is_bound(s: TwoPhase) -> Flag:
    """A manager which sent its message only moves as it is told."""
    return for_all(
        implies(
            s.prepared_sent[rm],
            any_of(
                s.state[rm] == Manager.PREPARED,
                all_of(s.state[rm] == Manager.COMMITTED, s.commit_sent),
                all_of(s.state[rm] == Manager.ABORTED, s.abort_sent),
            ),
        )
        for rm in s.rms
    )


@lemma("TwoPhase!TMCommit", why="to commit, everyone must be counted")
def commit_counts_everyone(s: TwoPhase) -> Flag:
    """Nobody is told to commit before everyone was counted."""
    return implies(s.commit_sent, for_all(s.counted[rm] for rm in s.rms))


@lemma("TwoPhase!RMRcvCommitMsg", why="nobody commits on its own")
def committed_was_told(s: TwoPhase) -> Flag:
    """A manager commits only when told."""
    return for_all(implies(s.state[rm] == Manager.COMMITTED, s.commit_sent) for rm in s.rms)


TWO_PHASE_COMMIT = RULES.with_properties(properties_in(sys.modules[__name__]))
