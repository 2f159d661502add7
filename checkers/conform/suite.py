"""Makes suites for others: recordings that must be accepted and such that must be rejected, rule by rule."""

from __future__ import annotations

import base64
import hashlib
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from nomadspec.checkers.atomic_files import write_whole
from nomadspec.checkers.conform.calls import SCHEDULER, make_call, put_call_together
from nomadspec.checkers.conform.judging import Question, Terms, compute_expected, make_recording
from nomadspec.checkers.conform.made_questions import Coverage, make_questions
from nomadspec.checkers.conform.noted_choices import NotedChoices
from nomadspec.checkers.conform.rules_asked import list_family_rules, note_rules
from nomadspec.checkers.conform.suite_form import ACCEPT, REJECT, Suite, find_place
from nomadspec.checkers.conform.suite_page import write_page
from nomadspec.checkers.escaping import write_json
from nomadspec.checkers.oracle.check import judge_line
from nomadspec.checkers.oracle.context import Context, Document
from nomadspec.checkers.oracle.corrupt import Corruption, list_corruptions
from nomadspec.checkers.oracle.judgement import Judgement, Ruling
from nomadspec.checkers.oracle.reading import Line
from nomadspec.checkers.oracle.registry import read_kind
from nomadspec.checkers.progress import Progress, Silence
from nomadspec.checkers.report.judging import plain
from nomadspec.model.errors import ImpossibleError, UnreadableError, UsageError

_RULES: Final = "rules.json"
_PAGE: Final = "README.md"
_FURTHER: Final = 4
"""So many times as many questions are looked through for rules that are not asked yet."""
_CORRUPTED: Final = 12
"""So many changes of one recording are tried until one is rejected."""
_NO_CHECKSUM: Final = "a checksum of its own"


def make_suite(
    folder: Path, kinds: Sequence[str], seed: int, count: int, terms: Terms, progress: Progress | None = None
) -> Suite:
    """Make a suite in a new or empty folder, whole or not at all; the same seed makes the same files."""
    with _claim(folder):
        return _make_all(folder, kinds, seed, count, terms, progress or Silence())


@contextmanager
def _claim(folder: Path) -> Iterator[None]:
    """Have a folder that was empty for oneself, and leave it empty where what is made does not get whole."""
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()) or not _make_first(folder / ACCEPT):
        raise UsageError(
            f"{folder} is not empty: name a new folder, so that nothing of another suite remains."
        )
    try:
        yield
    except BaseException:
        for part in (ACCEPT, REJECT):
            shutil.rmtree(folder / part, ignore_errors=True)
        for name in (_RULES, _PAGE):
            (folder / name).unlink(missing_ok=True)
        raise


def _make_first(folder: Path) -> bool:
    """Make a folder, unless somebody has done it meanwhile."""
    try:
        folder.mkdir()
    except FileExistsError:
        return False
    return True


def _make_all(
    folder: Path, kinds: Sequence[str], seed: int, count: int, terms: Terms, told: Progress
) -> Suite:
    suite = Suite(folder)
    index: dict[str, object] = {}
    for number, kind in enumerate(kinds, 1):
        told.update(f"make {kind}", number, len(kinds))
        questions = _choose_questions(kind, seed, count, terms)
        documents = [_record(question, terms, suite) for question in questions]
        wrong = [found for document in documents if (found := _spoil(kind, document, seed, terms))]
        _write_lines(folder / ACCEPT, kind, documents)
        _write_lines(folder / REJECT, kind, [corruption.document for corruption, _ in wrong])
        suite.accepted[kind], suite.rejected[kind] = len(documents), len(wrong)
        index |= {_key(kind, corruption): _describe(corruption, judged) for corruption, judged in wrong}
    _write(folder / REJECT / "index.json", write_json(index, indent=2))
    _write(folder / _RULES, write_json(suite.asked_by, indent=2))
    _write(folder / _PAGE, write_page(suite, seed, terms.profile.name))
    return suite


def _choose_questions(kind: str, seed: int, count: int, terms: Terms) -> Iterator[Question]:
    """Choose so many questions, and of many more those that ask a rule that none has asked so far."""
    coverage = Coverage()
    family = read_kind(kind).family
    yield from make_questions([kind], seed, count, terms, coverage)
    further = Coverage({family: set(coverage.asked.get(family, ())) for family in coverage.asked})
    for question in make_questions([kind], seed + 1, _FURTHER * count, terms, further):
        with note_rules() as rules:
            compute_expected(question, terms)
        if coverage.count_new(family, rules):
            coverage.add(family, rules)
            yield Question(f"{question.id}-more", question.kind, question.asked)


def _record(question: Question, terms: Terms, suite: Suite) -> dict[str, Any]:
    """Make a recording of a question and the model's answer, and note which rules it asks."""
    with note_rules() as rules:
        document = make_accepted(question, terms)
    family = question.kind.family
    by_rule = suite.asked_by.setdefault(family, {})
    for rule in list_family_rules(family):
        if rule in rules:
            by_rule.setdefault(rule, []).append(question.id)
    judged = _judge(question.kind.name, document, terms)
    if judged is None or judged.ruling is not Ruling.ACCEPTED:
        why = judged.difference if judged else "it cannot be read"
        raise ImpossibleError(f"The model rejects its own answer to {question.id}: {why}.")
    return document


def make_accepted(question: Question, terms: Terms) -> dict[str, Any]:
    """Make a recording that a judge accepts, choices and all."""
    if question.kind.family == SCHEDULER:
        choices = NotedChoices(0)
        answer = plain(make_call(question.asked, choices, terms.profile))
        return {**put_call_together(question.id, question.asked, answer), "choices": choices.data()}
    document: dict[str, Any] = _put_checksums(make_recording(question, compute_expected(question, terms)))
    return document


def _put_checksums(tree: Any) -> Any:  # noqa: ANN401 -- what JSON can hold
    """Give pools checksums of the usual shape: equal ones where their content is equal."""
    match tree:
        case {"Hash": str(told)} if told == _NO_CHECKSUM:
            content = sorted((name, repr(item)) for name, item in tree.items() if name not in _NOT_CONTENT)
            digest = hashlib.sha256(repr(content).encode()).digest()
            return {**tree, "Hash": base64.b64encode(digest).decode()}
        case Mapping():
            return {name: _put_checksums(item) for name, item in tree.items()}
        case list():
            return [_put_checksums(item) for item in tree]
    return tree


_NOT_CONTENT: Final = frozenset({"Hash", "CreateIndex", "ModifyIndex"})


def _spoil(kind: str, document: Document, seed: int, terms: Terms) -> tuple[Corruption, Judgement] | None:
    """Change one answer so that the recording is rejected; the first change that is."""
    for corruption in list_corruptions(kind, document, seed=seed, most=_CORRUPTED):
        judged = _judge(kind, corruption.document, terms)
        if judged is not None and judged.ruling is Ruling.REJECTED:
            return corruption, judged
    return None


def _judge(kind: str, document: Document, terms: Terms) -> Judgement | None:
    """Judge a recording with its choices; None where it cannot be read as one."""
    context = Context(profile=terms.profile, limits=terms.limits)
    try:
        return judge_line(read_kind(kind), Line("the suite", 0, document), context)
    except UnreadableError:
        return None


def _key(kind: str, corruption: Corruption) -> str:
    return f"{kind} {corruption.document['id']}"


def _describe(corruption: Corruption, judged: Judgement) -> dict[str, object]:
    return {
        "changed": corruption.path,
        "how": corruption.how,
        "right": plain(corruption.before),
        "wrong": plain(corruption.after),
        "rule": judged.difference.rule if judged.difference else "",
    }


def _write_lines(folder: Path, kind: str, documents: Sequence[Document]) -> None:
    if documents:
        _write(find_place(folder, kind), "\n".join(write_json(plain(each)) for each in documents))


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, f"{text}\n".encode())
