import pytest

from nomadspec.checkers.progress import Progress, Silence


class Ear:
    """Someone who listens."""

    def __init__(self) -> None:
        self.heard: list[tuple[str, int, int | None]] = []

    def update(self, text: str, done: int, expected: int | None = None) -> None:
        self.heard.append((text, done, expected))


def work(progress: Progress) -> int:
    """Work in two steps and say so."""
    progress.update("exploring", 1)
    progress.update("exploring", 2, 2)
    return 2


def test_who_listens_hears_every_step() -> None:
    ear = Ear()
    work(ear)

    assert [("exploring", 1, None), ("exploring", 2, 2)] == ear.heard


def test_silence_changes_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert 2 == work(Silence())
    assert ("", "") == capsys.readouterr()
