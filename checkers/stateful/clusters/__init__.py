"""Made-up clusters, jobs and histories: strategies for test suites of one's own, and what a history comes to.

    @given(histories())
    def test_plans_fit(history: History) -> None:
        for decision in live_through(history):
            assert not list(PROPERTIES["plans_fit"](decision))

A history is data, so a failure shrinks to few nodes, few jobs and few steps. Living through it takes the
steps one after the other on a replicated state, and lets the scheduler look at each job after each of them.
"""

from nomadspec.checkers.stateful.clusters.cluster import Names, live_through
from nomadspec.checkers.stateful.clusters.histories import History, histories
from nomadspec.checkers.stateful.clusters.jobs import jobs, plain_jobs
from nomadspec.checkers.stateful.clusters.nodes import nodes

__all__ = ["History", "Names", "histories", "jobs", "live_through", "nodes", "plain_jobs"]
