"""What may come of an input: an answer, or one of three findings."""

from __future__ import annotations

import re
import traceback
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

_DEFECT: Final = re.compile(r"\((\w+(?: in [\w.]+:\d+)?)")


class Outcome(StrEnum):
    """How an input was answered; the last three are findings."""

    ANSWERED = "answered"
    CRASH = "crash"
    HANG = "hang"
    WRONG = "wrong verdict"


@dataclass(frozen=True, slots=True)
class Told:
    """What came of one input, and the place that tells findings of one kind from others."""

    outcome: Outcome
    site: str = ""

    @property
    def is_finding(self) -> bool:
        """Whether somebody has to look at it."""
        return self.outcome is not Outcome.ANSWERED


ANSWERED: Final = Told(Outcome.ANSWERED)


def tell_crash(error: BaseException) -> Told:
    """Name the last place of an error inside the project."""
    frames = traceback.extract_tb(error.__traceback__)
    where = f" in {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    return Told(Outcome.CRASH, type(error).__name__ + where)


def tell_defect(reason: str) -> Told:
    """Name the place that a sentence about a defect names."""
    found = _DEFECT.search(reason)
    return Told(Outcome.CRASH, found[1] if found else reason[:80])
