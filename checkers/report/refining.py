"""What came of holding recorded operations against the kernel, as data and as text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from nomadspec.checkers.escaping import escape_line
from nomadspec.checkers.oracle.refinement.report import Refinement
from nomadspec.checkers.report.table import bad, count_of, good, render_table
from nomadspec.checkers.verdict import Verdict
from nomadspec.model.errors import EXIT_INTERNAL, EXIT_UNREADABLE


def judge_all(found: Mapping[str, Refinement]) -> Verdict:
    """Give one verdict for all files."""
    if any(one.disagreed for one in found.values()):
        return Verdict.VIOLATED
    is_complete = not any(one.unreadable or one.defects or one.unfinished for one in found.values())
    return Verdict.HOLDS if is_complete else Verdict.INCONCLUSIVE


def exit_code_of(found: Mapping[str, Refinement]) -> int:
    """Give the exit code: where this program failed, or could not read, counts before what it could."""
    if any(one.defects for one in found.values()):
        return EXIT_INTERNAL
    if any(one.unreadable for one in found.values()):
        return EXIT_UNREADABLE
    return judge_all(found).exit_code


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
                "unreadable": one.unreadable,
                "defects": one.defects,
                "unfinished": one.unfinished,
            }
            for file, one in found.items()
        ],
    }


def render_all(found: Mapping[str, Refinement]) -> str:
    """Write it as text: what disagrees, then how many steps agree, then what lies outside."""
    disagreed = [
        f"{bad('disagrees')} {escape_line(f'{file} {told}')}"
        for file, one in found.items()
        for told in one.disagreed
    ]
    disagreed += [f"{bad(name)} {escape_line(told)}" for name, told in _list_failures(found)]
    rows = [(escape_line(file), *(f"{number:,}" for number in _count(one))) for file, one in found.items()]
    parts = [*disagreed, render_table(("recordings", ">agree", ">gaps", ">outside", ">disagree"), rows)]
    for title, names in (
        ("where the kernel is coarser than the server", _sum(one.gaps for one in found.values())),
        ("what the kernel has no words for", _sum(one.outside for one in found.values())),
    ):
        if names:
            counted = [(f"{number:,}", escape_line(name)) for name, number in sorted(names.items())]
            parts += ["", render_table((">times", title), counted)]
    return "\n".join([*parts, "", _sentence(found)])


def _list_failures(found: Mapping[str, Refinement]) -> Iterator[tuple[str, str]]:
    for file, one in found.items():
        yield from (("unreadable", told) for told in one.unreadable)
        yield from (("unfinished", f"{file} {told}") for told in one.unfinished)
        yield from (("defect", f"{file} {told}") for told in one.defects)


def _count(one: Refinement) -> tuple[int, int, int, int]:
    return one.agreed.total(), one.gaps.total(), one.outside.total(), len(one.disagreed)


def _sum(counters: Iterable[Counter[str]]) -> Counter[str]:
    return sum(counters, Counter())


def _sentence(found: Mapping[str, Refinement]) -> str:
    agreed, gaps, outside, disagreed = (
        sum(numbers) for numbers in zip(*(_count(one) for one in found.values()), strict=True)
    )
    mark = good if judge_all(found) is Verdict.HOLDS else bad
    return (
        f"{mark(judge_all(found).value)}: {count_of(agreed, 'step')} as the kernel says, {disagreed:,} not; "
        f"{gaps:,} where it is known to be coarser, {outside:,} that it has no words for"
    )
