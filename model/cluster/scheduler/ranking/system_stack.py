"""The search for a node for jobs that run on every node: it asks one node, and compares nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from nomadspec.model.cluster.entities import Job, Node, TaskGroup
from nomadspec.model.cluster.scheduler.context import Context
from nomadspec.model.cluster.scheduler.feasibility.pipeline import FeasibilityPipeline
from nomadspec.model.cluster.scheduler.metrics import MetricBuilder
from nomadspec.model.cluster.scheduler.ranking.option import Fitter, make_option
from nomadspec.model.cluster.scheduler.ranking.settings import Settings, find_settings, may_preempt
from nomadspec.model.cluster.scheduler.ranking.uses import Uses
from nomadspec.model.cluster.scheduler.requests import Selected, SelectOptions


@dataclass(slots=True)
class SystemStack:
    """The stages that a node goes through.

    Spec: SYS-01, SYS-02.
    """

    context: Context
    job: Job = field(default_factory=Job)
    _settings: Settings = field(default_factory=Settings)
    _nodes: Sequence[Node] = ()
    _uses: Uses = field(init=False)
    _fitters: dict[str, Fitter] = field(default_factory=dict)
    _feasibility: FeasibilityPipeline = field(init=False)
    _may_preempt: bool = field(init=False)

    def __post_init__(self) -> None:
        """Begin without nodes and without a job.

        Spec: SYS-03.
        """
        self._uses = Uses(self.context)
        self._feasibility = FeasibilityPipeline(self.context)
        self._may_preempt = may_preempt(self.context.configuration, self.context.scheduler)

    def set_nodes(self, nodes: Sequence[Node]) -> None:
        """Take the node that is asked.

        Spec: SYS-02.
        """
        self._nodes = nodes

    def set_job(self, job: Job) -> None:
        """Point to a version of the job.

        Spec: RANK-79.
        """
        self.job = job
        self._fitters.clear()
        self._settings = find_settings(self.context.snapshot, job)
        self._feasibility.set_job(job)

    def select(self, group: TaskGroup, options: SelectOptions) -> Selected | None:
        """Ask the node; what is preferred or penalised does not count.

        Spec: SYS-02, SYS-03, SYS-05, SYS-06, SYS-07.
        """
        context = self.context
        context.metrics = MetricBuilder()
        self._feasibility.begin(group, options.alloc_name)
        fitter = self._find_fitter(group)
        selected = None
        for node in self._nodes:
            selected = self._ask(node, fitter)
            if selected is not None:
                break
        chosen = selected.node.id if selected else ""
        context.reasons.end_selection(group.name, options.alloc_name, chosen, may_preempt=self._may_preempt)
        return selected

    def _find_fitter(self, group: TaskGroup) -> Fitter:
        known = self._fitters.get(group.name)
        if known is None or known.group is not group:
            known = Fitter.make(
                self.context, self.job, group, self._settings, self._uses, may_preempt=self._may_preempt
            )
            self._fitters[group.name] = known
        return known

    def _ask(self, node: Node, fitter: Fitter) -> Selected | None:
        self.context.metrics.evaluate()
        if self._feasibility.check(node) is not None:
            return None
        offer = fitter.fit(node, self.context.plan.list_proposed(node.id))
        return make_option(self.context, node, offer).select() if offer else None
