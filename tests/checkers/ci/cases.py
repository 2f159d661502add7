"""Cases with everything in them that some reader of CI would obey instead of showing it."""

from nomadspec.checkers.ci.case import Case, Outcome, Outcomes, Place
from nomadspec.checkers.verdict import Verdict

HOSTILE = 'a<b>&"c" ]]> | ``` % \x1b[31m \x00 \u202e \ud800 </script>\nnext :: line, end'


def make_outcomes(text: str = HOSTILE, many: int = 1) -> Outcomes:
    failed = [
        Case(text, f"{text}{n}", Outcome.FAILED, text, text, 0.5, Place(f"{text}/x.py", 7), text)
        for n in range(many)
    ]
    others = [
        Case("core small", "passes", Outcome.PASSED, "34,069 worlds", "", 1.0),
        Case("core small", "unread", Outcome.ERROR, "it cannot be read"),
        Case("core full", "left out", Outcome.SKIPPED, "needs effort ci"),
    ]
    return Outcomes("nomadspec verify", Verdict.VIOLATED, 2.0, [*failed, *others], text)
