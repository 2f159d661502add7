"""The chart of a run: well-formed, the same each time, escaped, and right about what it shows."""

from xml.etree.ElementTree import fromstring

import pytest

from nomadspec.checkers.diagrams.chart import describe_time, draw_chart, find_step
from nomadspec.checkers.scenario.record import QUEUES, STATUSES, Sample
from nomadspec.model.cluster.entities.scalar import NS_PER_S

SVG = "{http://www.w3.org/2000/svg}"


def make_sample(
    seconds: int, complete: int, pending: int, ready: int, delays: tuple[float, ...] = ()
) -> Sample:
    statuses = tuple({"complete": complete, "pending": pending}.get(name, 0) for name in STATUSES)
    queues = tuple({"ready": ready}.get(name, 0) for name in QUEUES)
    return Sample(seconds * NS_PER_S, 1, statuses, queues, delays)


SAMPLES = (make_sample(0, 0, 1, 1), make_sample(0, 0, 2, 2, (7.5,)), make_sample(90, 2, 0, 0))


def list_texts(chart: str) -> list[str]:
    return [each.text or "" for each in fromstring(chart).iter(f"{SVG}text")]


def test_a_chart_is_the_same_each_time_and_names_what_it_shows() -> None:
    chart = draw_chart(SAMPLES, "two jobs", 0)
    texts = list_texts(chart)

    assert chart == draw_chart(SAMPLES, "two jobs", 0)
    assert texts[:2] == ["two jobs", "3 steps in sequence; the axis shows when time passes"]
    assert set(STATUSES) | set(QUEUES) | {"0s", "1m 30s"} <= set(texts)
    assert "prefers-color-scheme:dark" in chart


def test_areas_lie_on_each_other_and_what_never_was_is_not_drawn() -> None:
    paths = [
        each.get("d", "")
        for each in fromstring(draw_chart(SAMPLES, "two jobs", 0)).iter(f"{SVG}path")
        if (each.get("fill") or each.get("stroke") or "").startswith("var(--c")
    ]

    # complete rises from 0 to the top at the third act; pending lies on it; of the queues only one was used
    assert paths == [
        "M56,234 546.7,234 546.7,84 792,84 792,234 56,234Z",
        "M56,159 301.3,159 301.3,84 792,84 792,84 546.7,84 546.7,234 56,234Z",
        "M56,365 301.3,365 301.3,290 546.7,290 546.7,440 792,440",
    ]


def test_a_delay_is_drawn_where_it_was_placed() -> None:
    (circle,) = fromstring(draw_chart(SAMPLES, "two jobs", 0)).iter(f"{SVG}circle")

    assert (circle.get("cx"), circle.get("cy")) == ("301.3", "505.4")


def test_what_a_file_is_called_cannot_become_markup() -> None:
    chart = draw_chart((), '<script>"&\x1b', 0)

    assert list_texts(chart)[0] == '<script>"&\\x1b'
    assert "<script>" not in chart


def test_long_runs_keep_the_most_that_waited() -> None:
    calm = [make_sample(0, 0, 0, 0)] * 5_000
    texts = list_texts(draw_chart([*calm, make_sample(0, 0, 0, 40), *calm], "long", 0))

    assert "10,001 steps in sequence; the axis shows when time passes" in texts
    assert "40" in texts
    assert len(draw_chart(calm, "long", 0)) < 10_000


@pytest.mark.parametrize(
    ("most", "step"), [(0, 1), (4, 1), (5, 2), (9, 5), (20, 5), (21, 10), (4_000, 1_000), (4_001, 2_000)]
)
def test_a_scale_has_few_round_steps(most: float, step: int) -> None:
    assert find_step(most) == step


def test_times_are_written_as_people_do() -> None:
    seconds = (0, 4.5, 150, 3_900)
    assert [describe_time(round(each * NS_PER_S)) for each in seconds] == ["0s", "4.5s", "2m 30s", "1h 5m"]
