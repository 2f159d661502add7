"""The page of coverage: every ID that may be cited, by what it is cited, and of what kind the others are."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from nomadspec.checkers.reference.chapters import CHAPTERS, Chapter
from nomadspec.checkers.reference.citations import Citation, list_citations
from nomadspec.checkers.reference.markdown import code, codes, heading, page, table
from nomadspec.checkers.reference.mentions import Mentions, list_naming, read_tests
from nomadspec.checkers.reference.uncited import find_uncited
from nomadspec.checkers.reference.uncited_kinds import KINDS
from nomadspec.model.specification.catalogue import find_chapter, find_title, list_ids

_ABOUT = (
    "Which IDs of the specification the code cites, and where. *Cited* means that a rule, a property, a "
    "status change or remark of a lifecycle, a quirk, an act, or the docstring of a function says that it "
    "formalises the ID; it does not mean that all of it is formalised. *Named in tests* lists the test "
    "files that name the ID or what cites it: a rule or property by its name, a function by its file and "
    "name. It shows where to look, not how good the test is."
)

Cited = Mapping[str, Sequence[Citation]]


@cache
def compute_coverage_page(root: Path) -> str:
    """Write the page of coverage."""
    ids = list_ids()
    tests = read_tests(root / "tests")
    cited: dict[str, list[Citation]] = {spec_id: [] for spec_id in ids}
    for citation in list_citations():
        find_chapter(citation.spec_id)
        cited[citation.spec_id].append(citation)
    chapters = [_chapter_part(chapter, _of_chapter(ids, cited, chapter), tests) for chapter in CHAPTERS]
    return page("Coverage", _ABOUT, *_counts_part(ids, cited), *chapters)


def _of_chapter(ids: Mapping[str, str], cited: Cited, chapter: Chapter) -> Cited:
    return {spec_id: cited[spec_id] for spec_id, number in ids.items() if number == chapter.number}


def _counts_part(ids: Mapping[str, str], cited: Cited) -> list[str]:
    done = sum(1 for citations in cited.values() if citations)
    rows = []
    for chapter in CHAPTERS:
        of_chapter = _of_chapter(ids, cited, chapter)
        with_citation = sum(1 for citations in of_chapter.values() if citations)
        link = f"[{chapter.subject}](#chapter-{chapter.number.lower()})"
        rows.append((chapter.number, link, str(len(of_chapter)), str(with_citation)))
    kinds = Counter(find_uncited(spec_id).kind for spec_id, citations in cited.items() if not citations)
    reasons = [(kind, text, str(kinds[kind])) for kind, text in KINDS.items() if kinds[kind]]
    return [
        heading(2, "Counts", "counts"),
        f"**{done} of {len(ids)}** IDs are cited.",
        table(["chapter", "about", "IDs", "cited"], rows),
        "Of what kind the others are:",
        table(["kind", "is", "IDs"], reasons),
    ]


def _chapter_part(chapter: Chapter, cited: Cited, tests: Mentions) -> str:
    rows = [_row(spec_id, citations, tests) for spec_id, citations in cited.items() if citations]
    parts = [
        heading(2, f"{chapter.number}: {chapter.subject}", f"chapter-{chapter.number.lower()}"),
        table(["ID", "title", "cited by", "named in tests"], rows),
        *_uncited_part([spec_id for spec_id, citations in cited.items() if not citations]),
    ]
    return "\n\n".join(part for part in parts if part)


def _row(spec_id: str, citations: Sequence[Citation], tests: Mentions) -> tuple[str, ...]:
    links = dict.fromkeys(f"{_owner(citation)}[{citation.name}]({citation.link})" for citation in citations)
    naming = dict.fromkeys(file for citation in citations for file in list_naming(tests, citation))
    return code(spec_id), find_title(spec_id), ", ".join(links), codes(sorted(naming))


def _owner(citation: Citation) -> str:
    return (
        f"{citation.kind} "
        if citation.kind in {"function", "lifecycle", "quirk"}
        else f"{citation.owner} {citation.kind} "
    )


def _uncited_part(spec_ids: Sequence[str]) -> list[str]:
    """Write a row for each ID that nothing cites, with a reason of its own."""
    reasons = [(spec_id, find_uncited(spec_id)) for spec_id in spec_ids]
    rows = [(code(spec_id), find_title(spec_id), one.kind, one.why) for spec_id, one in reasons]
    return ["**Not cited:**", table(["ID", "title", "kind", "why"], rows)] if rows else []
