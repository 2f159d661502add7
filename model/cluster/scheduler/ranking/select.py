"""The search for a node for services and batches: which are visited, how they score, and which is taken."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from msgspec.structs import replace

from nomadspec.model.cluster.entities import Affinity, Allocation, Job, Node, TaskGroup
from nomadspec.model.cluster.scheduler.context import Context
from nomadspec.model.cluster.scheduler.feasibility.pipeline import FeasibilityPipeline
from nomadspec.model.cluster.scheduler.metrics import MetricBuilder
from nomadspec.model.cluster.scheduler.ranking.asks import list_affinities
from nomadspec.model.cluster.scheduler.ranking.fit import Offer
from nomadspec.model.cluster.scheduler.ranking.limits import (
    BASE_LIMIT,
    Source,
    choose_best,
    compute_limit,
    deliver,
)
from nomadspec.model.cluster.scheduler.ranking.memory import Recall, Remembered, remember
from nomadspec.model.cluster.scheduler.ranking.option import Fitter, Option, Scores, make_option
from nomadspec.model.cluster.scheduler.ranking.scores import (
    PENALTY,
    compute_affinity,
    compute_anti_affinity,
    compute_preemption,
)
from nomadspec.model.cluster.scheduler.ranking.settings import Settings, find_settings
from nomadspec.model.cluster.scheduler.ranking.spread import SpreadStage, Values
from nomadspec.model.cluster.scheduler.ranking.uses import Uses
from nomadspec.model.cluster.scheduler.requests import Selected, SelectOptions
from nomadspec.model.specification.quirks import LEAKED_LIMIT, STRANGE_NAMESAKE


@dataclass(slots=True)
class GenericStack:
    """The stages that a node goes through, in order, until one is taken.

    Spec: RANK-01.
    """

    context: Context
    job: Job = field(default_factory=Job)
    has_memory: bool = True
    """Whether nodes on which nothing has changed are remembered; it decides nothing but the speed."""
    _settings: Settings = field(default_factory=Settings)
    _source: Source = field(default_factory=Source)
    _limit: int = BASE_LIMIT
    _base_limit: int = BASE_LIMIT
    _uses: Uses = field(init=False)
    _fitters: dict[tuple[str, bool], Fitter] = field(default_factory=dict)
    """By group, and by whether others may be evicted."""
    _memories: dict[str, dict[str, Remembered]] = field(default_factory=dict)
    """By group, the nodes on which it was found to fit."""
    _feasibility: FeasibilityPipeline = field(init=False)
    _spread: SpreadStage = field(init=False)

    def __post_init__(self) -> None:
        """Begin without nodes and without a job."""
        self._uses = Uses(self.context)
        self._feasibility = FeasibilityPipeline(self.context)
        self._spread = SpreadStage(self.context)

    def set_nodes(self, nodes: Sequence[Node]) -> None:
        """Take nodes in the order in which they are visited.

        Spec: RANK-07, RANK-08, RANK-15.
        """
        self._source.set_nodes(nodes)
        self._limit = self._base_limit = compute_limit(len(nodes), is_batch=self.context.is_batch)

    def set_job(self, job: Job) -> None:
        """Point to a version of the job.

        Spec: RANK-79, RANK-61.
        """
        self.job = job
        self._fitters.clear()
        self._settings = find_settings(self.context.snapshot, job)
        self._feasibility.set_job(job)
        self._spread.set_job(job)

    def select(self, group: TaskGroup, options: SelectOptions) -> Selected | None:
        """Search for a node: first among the preferred ones, if there are any.

        Spec: RANK-13, RANK-20, RANK-73.
        """
        if options.preferred_nodes:
            selected = self._select_preferred(group, options)
            if selected is not None:
                return selected
        context = self.context
        context.metrics = MetricBuilder()
        fitter = self._find_fitter(group, may_preempt=options.preempt)
        search = _Search(
            context=context,
            job=self.job,
            group=group,
            options=options,
            affinities=list_affinities(self.job, group),
            spread=self._spread,
            feasibility=self._feasibility,
            fitter=fitter,
            memory=self._memories[group.name] if self._may_recall(fitter, options) else None,
        )
        search.begin()
        context.reasons.begin_search(search.examine)
        self._lift_limit(group, search.affinities)
        if search.memory is not None:
            best = search.recall(search.memory).search(self._source, self._limit)
        else:
            best = choose_best(deliver(search.rank(self._source), self._limit))
        chosen = best.node.id if best else ""
        context.reasons.end_selection(group.name, options.alloc_name, chosen, may_preempt=options.preempt)
        return best.select() if best else None

    def _find_fitter(self, group: TaskGroup, *, may_preempt: bool) -> Fitter:
        known = self._fitters.get((group.name, may_preempt))
        if known is None or known.group is not group:
            known = Fitter.make(
                self.context, self.job, group, self._settings, self._uses, may_preempt=may_preempt
            )
            self._fitters[group.name, may_preempt] = known
            self._memories[group.name] = {}
        return known

    def _may_recall(self, fitter: Fitter, options: SelectOptions) -> bool:
        """True if nothing that a search asks for has to be found anew on each node.

        Ports, cores and devices are given anew each time; so are reasons, and a penalty counts once.
        """
        is_plain = fitter.plain is not None and not fitter.may_preempt and not options.penalty_nodes
        return self.has_memory and is_plain and not self.context.reasons.is_on

    def _select_preferred(self, group: TaskGroup, options: SelectOptions) -> Selected | None:
        """Search among the preferred nodes only; the visits of all nodes then begin anew.

        Spec: RANK-13.
        """
        nodes = self._source.nodes
        self._source.set_nodes(options.preferred_nodes)
        selected = self.select(group, replace(options, preferred_nodes=()))
        self._source.set_nodes(nodes)
        return selected

    def _lift_limit(self, group: TaskGroup, affinities: tuple[Affinity, ...]) -> None:
        """Look at many nodes where some are wished for; that stays until other nodes are set.

        Spec: RANK-16, RANK-17, 07/S-03.
        """
        if affinities or self._spread.list_spreads(group):
            self._limit = max(group.count, self._settings.node_limit)
        elif not self.context.profile.has(LEAKED_LIMIT):
            self._limit = self._base_limit


@dataclass(slots=True)
class _Search:
    """One search for a node for one group."""

    context: Context
    job: Job
    group: TaskGroup
    options: SelectOptions
    affinities: tuple[Affinity, ...]
    spread: SpreadStage
    feasibility: FeasibilityPipeline
    fitter: Fitter
    memory: dict[str, Remembered] | None
    """The nodes on which the group was found to fit; None where that has to be found anew."""

    def begin(self) -> None:
        """Count anew what depends on the plan.

        Spec: FEAS-47, RANK-62.
        """
        self.feasibility.begin(self.group, self.options.alloc_name)
        self.spread.begin(self.group)

    def rank(self, source: Source) -> Iterator[Option]:
        """Put nodes through the stages, one when the next is asked for.

        Spec: RANK-01, RANK-04, FEAS-14.
        """
        for node in source.visit():
            option = self.examine(node)
            if option is not None:
                yield option

    def examine(self, node: Node) -> Option | None:
        """Put one node through the stages, and remember what they say; None where it does not do.

        Spec: RANK-01, FEAS-14.
        """
        self.context.metrics.evaluate()
        if self.feasibility.check(node) is not None:
            return None
        proposed = self.context.plan.list_proposed(node.id)
        offer = self.fitter.fit(node, proposed)
        if offer is None:
            return None
        values = self.spread.find_values(node)
        option = make_option(self.context, node, offer, self._score(node, proposed, offer, values))
        if self.memory is not None:
            self.memory[node.id] = remember(option, proposed, values)
        return option

    def recall(self, memory: Mapping[str, Remembered]) -> Recall:
        """Search with what is remembered of nodes."""
        return Recall(
            known=memory,
            settled=self.feasibility.list_settled(),
            proposed=self.context.plan.list_known_proposed(),
            spread=self.spread,
            metrics=self.context.metrics,
            examine=self.examine,
        )

    def _score(self, node: Node, proposed: tuple[Allocation, ...], offer: Offer, values: Values) -> Scores:
        """List what the stages after the fit append, in order.

        Spec: RANK-02, RANK-49, RANK-52, RANK-55, RANK-64, RANK-70.
        """
        return (
            self._score_collisions(proposed) if proposed else None,
            PENALTY if node.id in self.options.penalty_nodes else None,
            compute_affinity(self.affinities, node) if self.affinities else None,
            self.spread.score_values(values) if values else None,
            compute_preemption(offer.preempted) if offer.preempted else None,
        )

    def _score_collisions(self, proposed: Iterable[Allocation]) -> float | None:
        """Score the allocations of the group that are on a node.

        Spec: RANK-49, 07/S-07.
        """
        if not self.context.profile.has(STRANGE_NAMESAKE):
            proposed = [alloc for alloc in proposed if alloc.namespace == self.job.namespace]
        return compute_anti_affinity(proposed, self.job.id, self.group.name, self.group.count)
