"""One recorded call, made ready to be made again under other choices."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from nomadspec.checkers.oracle.equivalence import are_both_broken_off
from nomadspec.checkers.oracle.families.scheduler_reading import Jobs, Tables, Vector, read_row
from nomadspec.checkers.oracle.families.scheduler_replay import Server, Unanswered, tell_as_recorded
from nomadspec.checkers.oracle.families.scheduler_showing import EVALS, list_evals, show_plan
from nomadspec.checkers.oracle.relation.answers import Answering
from nomadspec.checkers.oracle.relation.asking import has_doubles
from nomadspec.checkers.oracle.relation.canonical import make_canonical, name_all
from nomadspec.checkers.oracle.relation.decision_tree import Backtrack
from nomadspec.checkers.oracle.relation.facts import Facts, list_facts
from nomadspec.model.cluster.codec import write
from nomadspec.model.cluster.entities import Evaluation, Plan, PreemptionConfig
from nomadspec.model.cluster.scheduler.choices import Choices
from nomadspec.model.cluster.scheduler.reasons import ReasonLog
from nomadspec.model.cluster.scheduler.schedule import ABORTED, schedule
from nomadspec.model.cluster.scheduler.snapshot import Snapshot
from nomadspec.model.specification.profiles import Profile

LARGE: Final = 8
"""With more nodes than this orders are solved for; with fewer, branches are tried."""

Canonical = Mapping[str, Any]
Look = Callable[[int, Plan], None]


@dataclass(slots=True)
class RecordedCall:
    """A call with what came out of it, and all that is needed to make it again."""

    vector: Vector
    jobs: Jobs
    plans: Sequence[Plan]
    evals: Mapping[str, Sequence[Evaluation]]
    profile: Profile
    recorded: Canonical = field(init=False)
    facts: Facts = field(init=False)
    names: Mapping[str, str] = field(init=False)
    """What the recorded IDs of new objects stand for; a newer state calls them so, too."""
    old: frozenset[str] = field(init=False)
    """The evaluations that allocations waited for before the call."""
    first: Snapshot = field(init=False)
    _evaluation: Evaluation = field(init=False)
    _newer: list[Snapshot | None] = field(init=False)

    def __post_init__(self) -> None:
        """Bring the recorded outcome into its canonical form."""
        shown = self._show(self.plans, self.evals, self.vector.outcome.error)
        tables = Tables.of(self.vector, self.jobs)
        self.first = tables.build()
        self._evaluation = read_row(Evaluation, self.vector.eval, "eval")
        self._newer = list(self._list_newer(tables))
        self.old = frozenset(alloc.followup_eval_id for alloc in self.first.state.allocs.values())
        self.names = dict(name_all(shown, self.old))
        self.recorded = make_canonical(shown, self.names)
        self.facts = self.list_facts(self.recorded)

    @property
    def has_orders(self) -> bool:
        """True if nodes are visited in an order, and not each by itself."""
        return self.vector.scheduler in {"service", "batch"}

    @property
    def is_large(self) -> bool:
        """True if there are too many nodes for branches to be tried."""
        return len(self.first.nodes) > LARGE

    @property
    def is_broken_off(self) -> bool:
        """True if the call broke off, so that what it planned last was not told of.

        Spec: GENERIC-03, SYSTEM-07.
        """
        return are_both_broken_off(self.vector.outcome.error, self.vector.outcome.error)

    @property
    def has_claims(self) -> bool:
        """True if how a node fares may depend on which were visited before it in the same search.

        Spec: FEAS-67.
        """
        tables = [self.vector.state, *(each.state_after or {} for each in self.vector.outcome.plans or ())]
        return any(table.get("host_volume_claims") for table in tables)

    @property
    def idle(self) -> frozenset[str]:
        """The allocations whose order on a node decides nothing: all, where nobody may be evicted.

        Spec: PREEMPT-01, FEAS-64.
        """
        if self.may_evict or self.vector.state.get("host_volumes"):
            return frozenset()
        new = (
            alloc.id for plan in self.plans for allocs in plan.node_allocation.values() for alloc in allocs
        )
        return frozenset(self.first.state.allocs) | frozenset(new)

    @property
    def may_repeat(self) -> bool:
        """True if there may be attempts after the first, which the choices of that one may lead elsewhere.

        Spec: SYSTEM-04, PLAN-90.
        """
        plans = self.vector.outcome.plans or ()
        answers = [each.result for each in plans if each.error is None]
        return len(plans) > 1 or any(result is None or result.refresh_index > 0 for result in answers)

    @property
    def is_doubled(self) -> bool:
        """True if several allocations of the job have the same name."""
        return has_doubles(self.first.state.allocs.values(), self._evaluation.job_id)

    @property
    def may_evict(self) -> bool:
        """True if the configuration lets anybody be evicted, or may come to."""
        configuration = self.first.configuration
        if configuration is None or configuration.preemption_config != PreemptionConfig():
            return True
        return any(
            (each.state_after or {}).get("scheduler_config") for each in self.vector.outcome.plans or ()
        )

    @property
    def eligibility(self) -> Mapping[str, bool]:
        """What was found of classes in the last attempt, by the recorded evaluations that wait."""
        waiting = [*self.evals["created_evals"], *self.evals["reblocked_evals"]]
        return {name: told for each in waiting for name, told in each.class_eligibility.items()}

    def run(self, choices: Choices, log: ReasonLog, look: Look) -> Canonical | None:
        """Make the call; None where it is given up.

        One that asks for one more answer than there is ends with what it has planned.
        """
        answering = Answering(
            self.vector.outcome.plans or (), self.plans, self._newer, look, self.first.state.evals
        )
        try:
            outcome = schedule(
                self.first,
                self._evaluation,
                self.vector.now_ns,
                choices,
                Server(answering.submit, self.first.state.find_eval),
                scheduler=self.vector.scheduler,
                profile=self.profile,
                log=log,
            )
        except Unanswered:
            return self.show_plans(answering.plans)
        except Backtrack:
            return None
        told = tell_as_recorded(outcome, self.vector.outcome)
        return self._make_canonical(self._show(answering.plans, list_evals(told), told.error))

    def show_plans(self, plans: Sequence[Plan]) -> Canonical:
        """Show plans that were made so far in canonical form."""
        return self._make_canonical({"plans": [{"plan": show_plan(each, self.jobs)} for each in plans]})

    def list_facts(self, outcome: Canonical) -> Facts:
        """List the facts of an outcome that no order of nodes touches."""
        return list_facts(outcome, has_orders=self.has_orders, has_one_group=self._has_one_failed_group)

    @property
    def _has_one_failed_group(self) -> bool:
        job = self.plans[0].job if self.plans else None
        has_one_group = job is not None and len(job.task_groups) == 1
        return has_one_group and any(each.failed_tg_allocs for each in self.evals["updated_evals"])

    def _list_newer(self, tables: Tables) -> Iterator[Snapshot | None]:
        for turn, told in enumerate(self.vector.outcome.plans or ()):
            if told.state_after is None:
                yield None
            else:
                tables.lay_over(told.state_after, f"outcome.plans[{turn}].state_after")
                yield tables.build()

    def _make_canonical(self, shown: Mapping[str, Any]) -> Canonical:
        known = self.old.union(self.names)
        return make_canonical(shown, {**self.names, **dict(name_all(shown, known))})

    def _show(
        self, plans: Sequence[Plan], evals: Mapping[str, Sequence[Evaluation]], error: str | None
    ) -> dict[str, Any]:
        shown: dict[str, Any] = {"plans": [{"plan": show_plan(plan, self.jobs)} for plan in plans]}
        shown |= {name: [write(each) for each in evals[name]] for name in EVALS}
        is_broken_off = are_both_broken_off(error, error)
        return {**shown, "error": ABORTED if is_broken_off else error}
