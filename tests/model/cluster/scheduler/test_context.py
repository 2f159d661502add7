"""What the stages of an attempt share says which scheduler runs, and under which configuration."""

import pytest

from nomadspec.model.cluster.entities import SchedulerConfiguration
from tests.model.cluster.scheduler.made import make_context, make_snapshot


@pytest.mark.parametrize(
    ("scheduler", "expected"), [("batch", True), ("service", False), ("sysbatch", False)]
)
def test_only_the_batch_scheduler_is_batch(scheduler: str, expected: bool) -> None:
    """GENERIC-15."""
    assert make_context(make_snapshot(), scheduler=scheduler).is_batch is expected


@pytest.mark.parametrize(("scheduler", "expected"), [("batch", False), ("system", True), ("sysbatch", True)])
def test_two_schedulers_place_on_every_node(scheduler: str, expected: bool) -> None:
    """SYSTEM-01."""
    assert make_context(make_snapshot(), scheduler=scheduler).is_for_every_node is expected


def test_the_configuration_is_that_of_the_snapshot() -> None:
    configuration = SchedulerConfiguration(scheduler_algorithm="spread")

    assert make_context(make_snapshot()).configuration is None
    assert make_context(make_snapshot(configuration=configuration)).configuration == configuration
