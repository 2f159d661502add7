"""What progress says of the time to go."""

from nomadspec.checkers.explore.growth import Guess
from nomadspec.checkers.report.time_left import Foreseen, describe_guess, round_off, show_seconds
from tests.checkers.explore.test_growth import SEVEN
from tests.checkers.report.test_progress import Clock


class Heard:
    def __init__(self) -> None:
        self.texts: list[str] = []

    def update(self, text: str, done: int, expected: int | None = None) -> None:
        self.texts.append(f"{text} | {done} {expected}")


def test_what_is_expected_tells_the_time_to_go() -> None:
    heard, clock = Heard(), Clock()
    progress = Foreseen(heard, "exploring", 1000, clock)
    for second in range(4):
        clock.now = float(second)
        progress.update(f"level {second}", second * 100)

    assert "exploring: level 0 | 0 1000" == heard.texts[0]
    assert "exploring: level 3 (about 7 s to go) | 300 1000" == heard.texts[3]


def test_levels_tell_it_where_nothing_is_expected() -> None:
    heard, clock = Heard(), Clock()
    progress = Foreseen(heard, "exploring", None, clock)
    done = 0
    for number, size in enumerate(SEVEN[:16], 1):
        clock.now += 1
        done += size
        progress.update(f"level {number}", done)

    assert "exploring: level 1 | 1 None" == heard.texts[0]
    assert "(guess: " in heard.texts[-1]
    assert "to go)" in heard.texts[-1]


def test_a_guess_is_written_with_two_digits() -> None:
    assert "1,200 to 35,000 worlds, 1 s to 3 min to go" == describe_guess(Guess(1234, 34567, 9), 1000, 170.0)
    assert "1,000 worlds or many more, 0 s to go or much longer" == describe_guess(
        Guess(1, None, 9), 1000, 9.0
    )
    assert [0, 7, 42, 120, 99_000] == [round_off(number) for number in (0, 7, 42, 123, 98_765)]
    assert ["1 s", "90 s", "3 min", "2 hours", "3 days"] == [
        show_seconds(one) for one in (1, 90, 180, 7200, 260_000)
    ]


def test_levels_that_nobody_saw_and_other_searches_lead_to_no_guess() -> None:
    heard, clock = Heard(), Clock()
    progress = Foreseen(heard, "exploring", None, clock)
    for number, done in [
        *((2 * at, 5 * at) for at in range(1, 20)),
        (1, 3),
        *((at, 90) for at in range(2, 20)),
    ]:
        clock.now += 1
        progress.update(f"level {number}", done)

    assert not any("guess" in text for text in heard.texts)
