"""Nodes with all their scores (RANK-02, RANK-03, RANK-71, FEAS-86)."""

from nomadspec.model.cluster.entities import NetworkResource, Node, Port, TaskGroup
from nomadspec.model.cluster.scheduler.context import Context
from nomadspec.model.cluster.scheduler.ranking.fit import Offer
from nomadspec.model.cluster.scheduler.ranking.option import Fitter, make_option
from nomadspec.model.cluster.scheduler.ranking.settings import Settings
from nomadspec.model.cluster.scheduler.ranking.uses import Uses
from nomadspec.model.cluster.scheduler.reasons import Dropped, Exhausted, Scored
from tests.model.cluster.scheduler.made import make_context, make_job, make_snapshot
from tests.model.cluster.scheduler.ranking.hosts import make_asking, make_host, make_tenant


def fit(group: TaskGroup, node: Node) -> tuple[Offer | None, Context]:
    job = make_job(group)
    context = make_context(make_snapshot(), job, with_reasons=True)
    fitter = Fitter.make(context, job, group, Settings(), Uses(context), may_preempt=False)
    return fitter.fit(node, ()), context


def test_all_that_is_appended_counts_and_what_is_not_is_shown_where_usual() -> None:
    """RANK-02, RANK-03, RANK-71."""
    offer, context = fit(make_asking(), make_host())
    assert offer is not None
    option = make_option(context, make_host(), offer, (None, -1.0, 0.0, None, None))

    shown = {
        "binpack": offer.fit_score,
        "job-anti-affinity": 0.0,
        "node-reschedule-penalty": -1.0,
        "node-affinity": 0.0,
    }
    assert shown == option.show_scores()
    assert (offer.fit_score - 1.0 + 0.0) / 3 == option.norm_score
    (kept,) = context.metrics.build(nodes_available={}, nodes_in_pool=0).score_meta_data
    assert ("n1", shown, option.norm_score) == (kept.node_id, kept.scores, kept.norm_score)
    assert (option.node, offer.resources) == (option.select().node, option.select().resources)


def test_a_node_where_something_is_short_is_exhausted() -> None:
    """FEAS-86."""
    offer, context = fit(make_asking(cpu_mhz=4000), make_host(node_class="small"))

    assert offer is None
    metrics = context.metrics.build(nodes_available={}, nodes_in_pool=0)
    assert (1, {"small": 1}, {"cpu": 1}) == (
        metrics.nodes_exhausted,
        metrics.class_exhausted,
        metrics.dimension_exhausted,
    )
    context.reasons.end_selection("web", "j.web[0]", "")
    reasons = context.reasons.build()
    assert reasons is not None
    expected = Exhausted(node_id="n1", rule="RANK-30", dimension="cpu", asked=4000, free=3900)
    assert (expected,) == reasons.selections[0].visits


def test_a_node_without_a_host_network_is_dropped() -> None:
    """NET-09, FEAS-90."""
    network = NetworkResource(dynamic_ports=(Port(host_network="${meta.none}"),))
    offer, context = fit(make_asking(networks=[network]), make_host())

    assert offer is None
    assert context.metrics.nodes_exhausted == 0
    context.reasons.end_selection("web", "j.web[0]", "")
    reasons = context.reasons.build()
    assert reasons is not None
    assert (Dropped(node_id="n1", rule="NET-09"),) == reasons.selections[0].visits


def test_who_has_to_go_is_told() -> None:
    group = make_asking(cpu_mhz=3900)
    job = make_job(group, priority=70)
    context = make_context(make_snapshot(), job, with_reasons=True)
    fitter = Fitter.make(context, job, group, Settings(), Uses(context), may_preempt=True)
    offer = fitter.fit(make_host(), (make_tenant("t1", 1000),))
    assert offer is not None

    make_option(context, make_host(), offer)

    context.reasons.end_selection("web", "j.web[0]", "n1")
    reasons = context.reasons.build()
    assert reasons is not None
    (visit,) = reasons.selections[0].visits
    assert isinstance(visit, Scored)
    assert ("t1",) == visit.preempted
