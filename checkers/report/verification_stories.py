"""What ``verify`` found to be wrong: every violation, each with its story."""

from __future__ import annotations

from collections.abc import Iterable

from nomadspec.checkers.report.table import bad
from nomadspec.checkers.report.verdicts import tell_story
from nomadspec.checkers.report.verification import Verification
from nomadspec.checkers.verdict import Finding
from nomadspec.model.language.bounded import BoundedModel


def list_stories(found: Verification) -> list[str]:
    """Tell what is wrong, each with its story."""
    parts = []
    for one in found.searched:
        if not one.problems:
            continue
        title = bad(f"{one.published.title}: {'; '.join(one.problems)}")
        parts += [title, *_tell(one.report.findings if not one.published.is_failing else (), one.bounded)]
    for proved in found.proved:
        for proof in proved.proved.report.proofs:
            bounded = proved.proved.bounded
            if proof.story is not None and bounded is not None:
                finding = Finding(proof.property, None, proof.story)
                parts += _tell([finding], bounded)
    for sample in found.sampled:
        parts += _tell(sample.report.findings, sample.bounded)
        parts += [f"  reproduce: {sample.again}"] if sample.report.findings else []
    for clusters in found.clusters:
        parts += [each.scenario for each in clusters.search.found]
        parts += [f"  reproduce: {clusters.again}"] if clusters.search.found else []
    return parts


def _tell(findings: Iterable[Finding], bounded: BoundedModel) -> list[str]:
    return [tell_story(one.story, bounded) for one in findings if one.story is not None]
