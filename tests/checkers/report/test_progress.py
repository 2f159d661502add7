"""Progress: a bar on a terminal, lines elsewhere, and neither too often."""

import io

import pytest

from nomadspec.checkers.report.progress import Bar, Lines, Quiet, Speed, describe_amount, progress_for


class Clock:
    """A clock that goes when it is told to."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_bar_is_drawn_and_cleared() -> None:
    stream, clock = Terminal(), Clock()
    with Bar(stream, clock) as bar:
        bar.update("level 3", 5, 10)

    assert "\r\x1b[2Klevel 3: [######......] 5 of 10\r\x1b[2K" == stream.getvalue()


def test_a_bar_is_not_drawn_more_often_than_anybody_can_see() -> None:
    stream, clock = Terminal(), Clock()
    bar = Bar(stream, clock)
    for done in range(1000):
        clock.now += 0.001
        bar.update("x", done)

    assert 10 == stream.getvalue().count("\r")


def test_a_bar_that_never_began_clears_nothing() -> None:
    stream = Terminal()
    with Bar(stream):
        pass

    assert "" == stream.getvalue()


def test_lines_come_every_few_seconds() -> None:
    stream, clock = io.StringIO(), Clock()
    with Lines(stream, clock) as lines:
        for second in range(1, 12):
            clock.now = float(second)
            lines.update("level 1", second * 100)

    assert "level 1: 500, 100/s\nlevel 1: 1,000, 100/s\n" == stream.getvalue()


def test_speed_begins_anew_with_another_text() -> None:
    clock = Clock()
    speed = Speed(clock)
    speed.of("a", 0)
    clock.now = 2.0

    assert ", 50/s" == speed.of("a", 100)
    assert "" == speed.of("b", 100)


@pytest.mark.parametrize(
    ("stream", "is_quiet", "kind"),
    [(Terminal(), False, Bar), (io.StringIO(), False, Lines), (Terminal(), True, Quiet)],
)
def test_the_place_decides(
    monkeypatch: pytest.MonkeyPatch, stream: io.StringIO, is_quiet: bool, kind: type
) -> None:
    monkeypatch.setenv("TERM", "xterm")

    assert kind is type(progress_for(stream, is_quiet=is_quiet))


def test_a_dumb_terminal_gets_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "dumb")

    assert Lines is type(progress_for(Terminal(), is_quiet=False))


def test_quiet_says_nothing() -> None:
    with Quiet() as nobody:
        assert nobody.update("x", 1) is None  # type: ignore[func-returns-value]  # that it returns is the point


def test_amounts_have_thousands() -> None:
    assert "1,000 of 2,000" == describe_amount(1000, 2000)
    assert "7" == describe_amount(7, None)
