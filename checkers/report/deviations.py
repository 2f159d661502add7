"""The quirks and the known findings that a rule or property has to do with."""

from __future__ import annotations

from collections.abc import Iterator

from nomadspec.checkers.asked_quirks import list_asked
from nomadspec.checkers.model_findings import list_findings
from nomadspec.checkers.report.titles import find_titles
from nomadspec.invariants.known_finding import KnownFinding
from nomadspec.model.language.property import Property
from nomadspec.model.language.rule import Rule
from nomadspec.model.specification.quirk import Quirk


def list_quirk_ids(reference: str, entry: Rule | Property) -> list[str]:
    """List the quirks that a rule asks for, or that cure the findings about a property."""
    if isinstance(entry, Rule):
        return [quirk.id for quirk in list_asked(entry.texts)]
    return sorted({quirk.id for one in _list_findings(reference, entry) for quirk in _list_cures(one)})


def list_finding_ids(reference: str, entry: Rule | Property) -> list[str]:
    """List the findings that a rule has a part in, as what cures them is in its text, or about a property."""
    return [one.id for one in _list_findings(reference, entry)]


def list_deviation_facts(reference: str, entry: Rule | Property) -> Iterator[tuple[str, str]]:
    """Write both as facts, a line for each."""
    quirks = find_titles(list_quirk_ids(reference, entry))
    findings = {one.id: one.title for one in _list_findings(reference, entry)}
    for name, told in (("quirks", quirks), ("findings", findings)):
        for at, (ident, title) in enumerate(told.items()):
            yield name if at == 0 else "", f"{ident}: {title.removesuffix('.')}"


def find_deviation_titles(reference: str, entry: Rule | Property) -> dict[str, str]:
    """Give the titles of the quirks and findings at a rule or property."""
    findings = {one.id: one.title for one in _list_findings(reference, entry)}
    return find_titles(list_quirk_ids(reference, entry)) | findings


def _list_findings(reference: str, entry: Rule | Property) -> list[KnownFinding]:
    known = list_findings(reference)
    if isinstance(entry, Property):
        return [one for one in known if entry.name in one.violated]
    asked = set(list_asked(entry.texts))
    return [one for one in known if asked & set(_list_cures(one))]


def _list_cures(finding: KnownFinding) -> tuple[Quirk, ...]:
    return (finding.cure, *finding.beside)
