"""Known defects of the release that show in recordings: named by quirk and finding, and counted."""

from __future__ import annotations

from collections.abc import Mapping

from nomadspec.checkers.escaping import escape_line
from nomadspec.checkers.report.table import count_of, open_, render_facts
from nomadspec.checkers.report.titles import find_titles, name_with_title
from nomadspec.model.specification.quirks import find_quirk


def list_defects(counted: Mapping[tuple[str, str], int]) -> list[dict[str, object]]:
    """List what was counted with the findings that each defect is known by, of whatever they speak."""
    if not counted:
        return []
    from nomadspec.checkers.all_findings import list_known  # noqa: PLC0415 -- it loads Hypothesis, which is slow

    known, titles = list_known(), find_titles(quirk for quirk, _ in counted)
    return [
        {
            "quirk": quirk,
            "title": titles.get(quirk, ""),
            "findings": [each.id for each in known if each.cure and each.cure.id == quirk],
            "broken": broken,
            "times": times,
            "happens": find_quirk(quirk).happens,
        }
        for (quirk, broken), times in sorted(counted.items())
    ]


def render_defects(counted: Mapping[tuple[str, str], int]) -> str:
    """Write what was counted as text, each with the sentence of its defect."""
    return render_facts([(open_("known defect"), _describe(each)) for each in list_defects(counted)])


def _describe(defect: Mapping[str, object]) -> str:
    findings = defect["findings"]
    named = ", ".join(
        [name_with_title(str(defect["quirk"])), *(findings if isinstance(findings, list) else ())]
    )
    times = count_of(int(str(defect["times"])), "time")
    told = f"{defect['broken']}: {defect['happens']}"
    return f"{named}; {times}: {escape_line(told)}"
