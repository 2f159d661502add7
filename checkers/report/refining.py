"""What came of holding recorded operations against the kernel, as data and as text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from nomadspec.checkers.oracle.refinement.report import Refinement
from nomadspec.checkers.report.table import bad, count_of, good, render_table
from nomadspec.checkers.verdict import Verdict


def judge_all(found: Mapping[str, Refinement]) -> Verdict:
    """Give one verdict for all files."""
    return Verdict.VIOLATED if any(one.disagreed for one in found.values()) else Verdict.HOLDS


def data_of(found: Mapping[str, Refinement]) -> dict[str, object]:
    """Give it as data."""
    return {
        "verdict": judge_all(found).value,
        "files": [
            {
                "file": file,
                "agreed": dict(sorted(one.agreed.items())),
                "outside": dict(sorted(one.outside.items())),
                "gaps": dict(sorted(one.gaps.items())),
                "disagreed": one.disagreed,
            }
            for file, one in found.items()
        ],
    }


def render_all(found: Mapping[str, Refinement]) -> str:
    """Write it as text: what disagrees, then how many steps agree, then what lies outside."""
    disagreed = [f"{bad('disagrees')} {file} {told}" for file, one in found.items() for told in one.disagreed]
    rows = [(file, *(f"{number:,}" for number in _count(one))) for file, one in found.items()]
    parts = [*disagreed, render_table(("recordings", ">agree", ">gaps", ">outside", ">disagree"), rows)]
    for title, names in (
        ("where the kernel is coarser than the server", _sum(one.gaps for one in found.values())),
        ("what the kernel has no words for", _sum(one.outside for one in found.values())),
    ):
        if names:
            counted = [(f"{number:,}", name) for name, number in sorted(names.items())]
            parts += ["", render_table((">times", title), counted)]
    return "\n".join([*parts, "", _sentence(found)])


def _count(one: Refinement) -> tuple[int, int, int, int]:
    return one.agreed.total(), one.gaps.total(), one.outside.total(), len(one.disagreed)


def _sum(counters: Iterable[Counter[str]]) -> Counter[str]:
    return sum(counters, Counter())


def _sentence(found: Mapping[str, Refinement]) -> str:
    agreed, gaps, outside, disagreed = (
        sum(numbers) for numbers in zip(*(_count(one) for one in found.values()), strict=True)
    )
    mark = bad if disagreed else good
    return (
        f"{mark(judge_all(found).value)}: {count_of(agreed, 'step')} as the kernel says, {disagreed:,} not; "
        f"{gaps:,} where it is known to be coarser, {outside:,} that it has no words for"
    )
