"""Corrupted calls of schedulers are rejected, with their choices and without."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from nomadspec.checkers.oracle.check import judge_line
from nomadspec.checkers.oracle.context import Context
from nomadspec.checkers.oracle.corrupt import Corruption, list_corruptions
from nomadspec.checkers.oracle.families.scheduler_corruptions import (
    CORRUPTIONS,
    find,
    list_scheduler_corruptions,
)
from nomadspec.checkers.oracle.judgement import ABSENT, Ruling
from nomadspec.checkers.oracle.reading import Line
from nomadspec.checkers.oracle.registry import read_kind
from nomadspec.model.errors import UnreadableError
from nomadspec.model.specification.profiles import NOMAD_2_0
from tests.recorded import FOLDER, list_lines

KIND = read_kind("scheduler")
FILES = sorted((FOLDER / "scheduler").glob("*.ndjson.xz"))
Tally = Mapping[str, Counter[Ruling]]


def choose(paths: Sequence[Path], chosen: slice) -> list[Line]:
    """Choose among the lines of several files, one after another."""
    places = [(lines, at) for lines in map(list_lines, paths) for at in range(len(lines))]
    return [lines[at] for lines, at in places[chosen]]


def read_some(*, every: int, start: int = 0) -> list[Line]:
    return choose(FILES, slice(start, None, every))


def read_few(every: int) -> list[Line]:
    few = [path for path in FILES if path.name.endswith("-00.ndjson.xz") and "-" in path.stem]
    small = [path for path in few if not path.name.startswith(("large", "more"))]
    return choose(small, slice(None, None, every))


def tally(corruptions: Iterator[tuple[Line, Corruption]], *, is_relation: bool) -> Tally:
    counted: defaultdict[str, Counter[Ruling]] = defaultdict(Counter)
    for line, one in corruptions:
        document = {**one.document, "choices": {}} if is_relation else one.document
        context = Context(NOMAD_2_0, ignores_choices=is_relation)
        counted[one.how][rule_on(Line(line.file, line.number, document), context)] += 1
    return counted


def rule_on(line: Line, context: Context) -> Ruling:
    """What can no longer be read is given away as well."""
    try:
        return judge_line(KIND, line, context).ruling
    except UnreadableError:
        return Ruling.REJECTED


def corrupt(lines: list[Line], *, seed: int = 0) -> Iterator[tuple[Line, Corruption]]:
    return ((line, one) for line in lines for one in list_scheduler_corruptions(line.document, seed=seed))


def assert_sharp(counted: Tally, least: float) -> None:
    shares = {how: each[Ruling.REJECTED] / each.total() for how, each in counted.items()}
    assert not {how: (share, counted[how]) for how, share in shares.items() if share < least}


def test_every_kind_of_corruption_finds_a_place() -> None:
    found = [one for _, one in corrupt(read_few(every=3))]

    assert {one.how for one in found} == set(CORRUPTIONS)
    assert all(find(one.document, one.path) == one.after for one in found)
    assert all(one.before != one.after for one in found)


def test_what_is_not_there_is_absent() -> None:
    tree: dict[str, Any] = {"a": [1]}

    assert (find(tree, "a[0]"), find(tree, "a[1]"), find(tree, "b")) == (1, ABSENT, ABSENT)


def test_corruptions_are_rejected_with_choices() -> None:
    assert_sharp(tally(corrupt(read_few(every=11)), is_relation=False), 0.99)


@pytest.mark.deep
def test_corruptions_are_rejected_without_choices() -> None:
    """RANK-08: whatever the order of nodes and maps."""
    counted = tally(corrupt(read_few(every=47)), is_relation=True)
    total = sum(counted.values(), Counter[Ruling]())

    assert total[Ruling.REJECTED] / total.total() >= 0.95


@pytest.mark.deep
@pytest.mark.parametrize("start", range(8))
def test_all_corruptions_are_rejected_with_choices(start: int) -> None:
    assert_sharp(tally(corrupt(read_some(every=8, start=start)), is_relation=False), 0.99)


@pytest.mark.deep
@pytest.mark.parametrize("start", range(6))
def test_many_corruptions_of_every_kind_are_rejected_without_choices(start: int) -> None:
    assert_sharp(tally(corrupt(read_some(every=36, start=start * 6), seed=start), is_relation=True), 0.95)


def drops_nothing(one: Corruption) -> bool:
    """Whether only members that hold nothing are gone: without its choices a call means the same then."""
    if not isinstance(one.before, Mapping) or not isinstance(one.after, Mapping):
        return False
    gone = set(one.before) - set(one.after)
    return bool(gone) and set(one.after) < set(one.before) and not any(one.before[key] for key in gone)


@pytest.mark.deep
@pytest.mark.parametrize("is_relation", [False, True])
def test_any_value_that_is_changed_is_rejected(*, is_relation: bool) -> None:
    """The corruptions of all families: one answer, whichever, changed."""
    corruptions = (
        (line, one)
        for line in read_some(every=36)
        for one in list_corruptions(KIND.name, line.document, seed=7, most=6)
        if not (is_relation and drops_nothing(one))
    )
    counted = sum(tally(corruptions, is_relation=is_relation).values(), Counter[Ruling]())

    assert counted[Ruling.REJECTED] / counted.total() >= (0.95 if is_relation else 0.99)
