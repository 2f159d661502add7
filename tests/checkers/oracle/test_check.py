"""Judging files and folders."""

import gzip
import json
import lzma
import shutil
from collections.abc import Iterator
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from nomadspec.checkers.oracle import check
from nomadspec.checkers.oracle.check import (
    Answer,
    check_paths,
    find_line,
    is_trace,
    judge_line,
    reader_beside,
)
from nomadspec.checkers.oracle.context import Context, Document
from nomadspec.checkers.oracle.judgement import Difference, Judgement, Ruling
from nomadspec.checkers.oracle.limits import Limits
from nomadspec.checkers.oracle.paths import list_steps
from nomadspec.checkers.oracle.reading import Line
from nomadspec.checkers.oracle.registry import list_kinds
from nomadspec.checkers.oracle.sides import list_leaves, put
from nomadspec.model.errors import EXIT_INTERNAL, InputError, UnknownNameError, UnreadableError
from nomadspec.model.specification.profiles import NOMAD_2_0
from tests.checkers.oracle.made import ADDITION, use_addition
from tests.recorded import TRACES, find_recording_file, read_recordings, rule_on

judge_paths = partial(check_paths, asked=None, make_context=partial(Context, NOMAD_2_0))

RIGHT = '{"id": "right", "a": 1, "b": 2, "sum": 3}'
WRONG = '{"id": "wrong", "a": 1, "b": 2, "sum": 4, "product": 5}'


@pytest.fixture(autouse=True)
def addition(monkeypatch: pytest.MonkeyPatch) -> None:
    use_addition(monkeypatch)


def write(path: Path, *lines: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines))
    return path


def describe(answer: Answer) -> str:
    if isinstance(answer, InputError):
        return f"unreadable {Path(answer.file).name} {answer.at}".strip()
    return f"{answer.ruling} {answer.id}"


def judge(**members: Any) -> Judgement:
    return judge_line(ADDITION, Line("f", 1, members), Context(NOMAD_2_0))


def test_the_first_difference_decides() -> None:
    told = judge(id="x", a=1, b=2, sum=4, product=5)

    assert (Ruling.REJECTED, Difference("sum", 4, 3, "SUM-01")) == (told.ruling, told.difference)


@pytest.mark.parametrize(
    ("members", "ruling", "reason"),
    [
        ({"a": 1, "b": 2, "sum": 3}, Ruling.ACCEPTED, ""),
        ({"a": None, "b": 2}, Ruling.UNDECIDED, "a number is missing"),
        ({"a": "one", "b": 2}, Ruling.UNSUPPORTED, "words are not added"),
    ],
)
def test_every_recording_is_answered(members: dict[str, Any], ruling: Ruling, reason: str) -> None:
    told = judge(**members)

    assert (ruling, reason, "line 1", "alloc-names") == (told.ruling, told.reason, told.id, told.family)


def test_what_is_no_recording_is_unreadable_at_its_line_and_member() -> None:
    with pytest.raises(UnreadableError, match=r"^f, at line 1, sum\.a: a number was expected\."):
        judge(a=[], b=2)


def test_a_defect_is_the_answer_for_its_recording_alone(tmp_path: Path) -> None:
    path = write(tmp_path / "alloc-names/cases.ndjson", RIGHT, '{"id": "broken"}', WRONG)

    right, broken, wrong = judge_paths([path])

    assert ["accepted right", "defect broken", "rejected wrong"] == [*map(describe, (right, broken, wrong))]
    assert isinstance(broken, Judgement)
    assert broken.reason.startswith("this program failed on it (KeyError in made.py:")
    assert broken.reason.endswith("'a'); please report it together with the recording")
    assert EXIT_INTERNAL == broken.exit_code


def test_a_recording_that_takes_too_long_is_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    def judge_forever(_vector: Document, _context: Context) -> Iterator[Difference]:
        yield from (Difference("", number, 1, "") for number in count() if number < 0)

    monkeypatch.setattr(check, "find_judge", lambda _kind: judge_forever)
    context = Context(NOMAD_2_0, limits=Limits(seconds=0.05))

    told = judge_line(ADDITION, Line("f", 1, {"id": "x"}), context)

    assert (Ruling.UNDECIDED, "It took longer than 0.05 s; allow more with --max-seconds NUMBER.") == (
        told.ruling,
        told.reason,
    )


def test_a_folder_with_links_to_itself_is_judged_once(tmp_path: Path) -> None:
    write(tmp_path / "all/alloc-names/cases.ndjson", RIGHT)
    for name in ("again", "once-more"):
        (tmp_path / "all" / name).symlink_to(tmp_path / "all", target_is_directory=True)
        (tmp_path / "all/alloc-names" / name).symlink_to(tmp_path / "all", target_is_directory=True)

    assert ["accepted right"] == [describe(one) for one in judge_paths([tmp_path / "all"])]


def test_too_many_files_are_told(tmp_path: Path) -> None:
    for number in range(3):
        write(tmp_path / f"{number}.txt")

    (answer,) = check_paths([tmp_path], None, partial(Context, NOMAD_2_0, limits=Limits(walk=2)))

    assert "there are more than 2 files and folders in it" in str(answer)
    assert "--max-walk" in str(answer)


def test_remarks_and_what_was_forgiven_are_kept() -> None:
    told = judge(a=2, b=2, sum=4)

    assert (("twins",), {"chosen-port": 1}) == (told.notes, told.forgiven)


def test_a_broken_line_is_told_in_its_place_and_the_rest_is_judged(tmp_path: Path) -> None:
    path = write(tmp_path / "alloc-names/cases.ndjson", RIGHT, '{"id": ', "[1]", "", WRONG)

    assert [
        "accepted right",
        "unreadable cases.ndjson line 2, column 8",
        "unreadable cases.ndjson line 3",
        "rejected wrong",
    ] == [describe(one) for one in judge_paths([path])]


def test_the_family_is_known_by_the_path_the_format_or_the_call(tmp_path: Path) -> None:
    unknown = write(tmp_path / "unknown/file.ndjson", RIGHT, RIGHT)
    formatted = write(
        tmp_path / "file.ndjson", json.dumps({**json.loads(RIGHT), "format": "scheduler-vector/1"})
    )

    assert ["unreadable file.ndjson"] == [describe(one) for one in judge_paths([unknown])]
    assert "say it with --family: alloc-names/cases, " in str(next(judge_paths([unknown])))
    assert ["accepted right"] * 2 == [describe(one) for one in judge_paths([unknown], asked=ADDITION)]
    assert ["accepted right"] == [describe(one) for one in judge_paths([formatted])]


@pytest.mark.parametrize(("ending", "pack"), [(".gz", gzip.compress), (".xz", lzma.compress)])
def test_packed_files_are_read_as_they_are(tmp_path: Path, ending: str, pack: Any) -> None:
    path = write(tmp_path / "alloc-names/cases.ndjson", RIGHT)
    packed = path.with_name(path.name + ending)
    packed.write_bytes(pack(path.read_bytes()))
    cut = path.with_name("cases.ndjson" + ending)

    assert ["accepted right"] == [describe(one) for one in judge_paths([packed])]
    cut.write_bytes(packed.read_bytes()[:-4])
    assert "it is damaged" in str([*judge_paths([cut])][-1])


def test_a_folder_is_judged_in_order_without_data(tmp_path: Path) -> None:
    write(tmp_path / "tasks-updated/cases.ndjson", RIGHT)
    data = write(tmp_path / "tasks-updated/bases.ndjson", "{}")
    write(tmp_path / "alloc-names/cases.ndjson", WRONG)
    write(tmp_path / "README.md", "about")

    assert ["rejected wrong", "accepted right"] == [describe(one) for one in judge_paths([tmp_path])]
    assert "holds none itself" in str(next(judge_paths([data])))


@pytest.mark.parametrize(
    ("name", "problem"),
    [("", "no recordings in this folder"), ("no", "no such file"), ("cases.ndjson", "no recording in it")],
)
def test_nothing_to_judge_is_no_success(tmp_path: Path, name: str, problem: str) -> None:
    if name == "cases.ndjson":
        write(tmp_path / name)

    (answer,) = judge_paths([tmp_path / name], asked=ADDITION)

    assert problem in str(answer)


def test_a_folder_with_a_raft_log_is_one_recording(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def judge_folder(folder: Path, _context: Context) -> Iterator[Difference]:
        yield Difference("indexes", folder.name, None, "01/1")

    monkeypatch.setattr(check, "find_trace_judge", lambda: judge_folder)
    write(tmp_path / "lifecycle/raft-log.ndjson", "{}")

    (told,) = judge_paths([tmp_path])

    assert is_trace(tmp_path / "lifecycle")
    assert not is_trace(tmp_path)
    assert isinstance(told, Judgement)
    assert ("trace", "lifecycle", Ruling.REJECTED) == (told.family, told.id, told.ruling)


def test_what_needs_a_file_that_cannot_be_read_is_not_judged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    documents = read_recordings("tasks-updated/cases")[:1]
    path = write(tmp_path / "tasks-updated/cases.ndjson", *map(json.dumps, documents))
    write(tmp_path / "lifecycle/raft-log.ndjson", '{"Log')

    cluster, (neighbour,) = next(judge_paths([tmp_path / "lifecycle"])), judge_paths([path])

    assert "raft-log.ndjson, at line 1, column 2: this is no JSON" in str(cluster)
    assert isinstance(neighbour, InputError)
    assert "bases.ndjson: the recordings of cases.ndjson refer to this file" in str(neighbour)


def test_a_recording_is_found_by_its_name(tmp_path: Path) -> None:
    path = write(tmp_path / "alloc-names/cases.ndjson", RIGHT, WRONG)

    kind, line, _ = find_line(path, "wrong", None, partial(Context, NOMAD_2_0))

    assert (ADDITION, 2) == (kind, line.number)
    with pytest.raises(UnknownNameError, match="did you mean right"):
        find_line(path, "rigth", None, partial(Context, NOMAD_2_0))
    with pytest.raises(InputError, match="--family"):
        find_line(write(tmp_path / "x.ndjson", RIGHT), "right", None, partial(Context, NOMAD_2_0))


def test_neighbours_are_read_once_and_missed_by_name(tmp_path: Path) -> None:
    path = write(tmp_path / "cases.ndjson", RIGHT)
    write(tmp_path / "bases.ndjson", '{"name": "plain"}')
    read = reader_beside(path)

    assert ({"name": "plain"},) == read("bases")
    assert read("bases") is read("bases")
    with pytest.raises(
        InputError, match=r"others\.ndjson: the recordings of cases\.ndjson refer to this file"
    ):
        read("others")


DAMAGES: tuple[Any, ...] = (
    None,
    "x",
    -1,
    1.5,
    True,
    [],
    {},
    ["x"],
    [None],
    {"x": None},
    2**70,
    -(10**30),
    "2031-13-01T00:00:00Z",
)


def list_damaged(name: str, amount: int) -> Iterator[tuple[str, Document]]:
    """Put what does not belong there into recordings, now here and now there."""
    documents = read_recordings(name)
    for number in range(amount):
        document = documents[number * 7919 % len(documents)]
        places = [path for path, _ in list_leaves(document)]
        path = places[number * 104_729 % len(places)]
        yield path, put(document, list(list_steps(path)), DAMAGES[number % len(DAMAGES)])


@pytest.mark.parametrize("amount", [10, pytest.param(20, marks=pytest.mark.deep)])
@pytest.mark.parametrize("name", [name for name in list_kinds() if name != "scheduler"])
def test_a_damaged_recording_is_answered(name: str, amount: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()

    for path, document in list_damaged(name, amount):
        if isinstance(document, dict):
            assert rule_on(name, document) != Ruling.DEFECT, path


def test_the_files_of_a_cluster_are_one_recording(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A hook for changed files names each of them."""
    monkeypatch.setattr(check, "find_trace_judge", lambda: lambda _folder, _context: iter(()))
    folder = TRACES / "all_at_once"
    files = sorted(path for path in folder.iterdir() if path.name.startswith(("events.", "polls.", "raft-")))
    other = write(tmp_path / "scenario.json", "{}")

    assert [str(folder)] == [answer.file for answer in judge_paths(files)]
    assert [str(other)] == [answer.file for answer in judge_paths([other])]


def test_a_recording_of_a_cluster_without_its_log_says_what_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is one recording of which a part is seen; what lies below is judged."""
    monkeypatch.undo()
    folder = tmp_path / "run"
    shutil.copytree(TRACES / "all_at_once", folder)
    for log in folder.glob("raft-log*"):
        log.unlink()
    below = folder / "alloc-names"
    below.mkdir()
    shutil.copy(find_recording_file("alloc-names/cases"), below)
    first, *judged = [each for each in judge_paths([tmp_path]) if isinstance(each, Judgement)]

    assert Ruling.UNDECIDED == first.ruling, first.difference
    assert str(folder) == first.file
    assert first.unseen[0].startswith("the log (raft-log.ndjson)")
    assert "decisions from index 8 to 54" in first.reason
    assert 245 == len(judged)
