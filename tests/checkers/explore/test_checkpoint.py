"""Searches on disk: what was written is read, and nothing else is."""

import re
from copy import deepcopy
from pathlib import Path

import pytest
from xxhash import xxh3_128

from nomadspec.checkers.explore.checkpoint import (
    _MAGIC,
    _PREFIX,
    _VERSION,
    check_free,
    read_checkpoint,
    write_checkpoint,
)
from nomadspec.checkers.explore.search import Search
from nomadspec.checkers.explore.search_state import Explored
from nomadspec.checkers.explore.task import Task, make_task
from nomadspec.checkers.usual_profile import bind_as_usual
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.errors import InputError, UsageError
from nomadspec.model.language.model import Model
from nomadspec.model.language.story import DEADLOCK
from tests.checkers.explore.models import CLUB, DIAL, LAMPS

IDENTITY = "c0ffee"


def make(model: Model = CLUB, *, worlds: int = 10, reduction: str = "none") -> tuple[Task, Explored]:
    task = make_task(bind_as_usual(model), None, reduction, stops_at_first=False)
    search = Search(task)
    search.expand(worlds, 1000)
    return task, search.explored


@pytest.fixture(name="kept")
def make_kept(tmp_path: Path) -> tuple[Path, Task]:
    """Give a checkpoint in a file, and what it is about."""
    task, explored = make()
    path = tmp_path / "search"
    write_checkpoint(path, task, IDENTITY, explored)
    return path, task


def refuse(path: Path, task: Task, identity: str = IDENTITY) -> str:
    with pytest.raises(InputError) as caught:
        read_checkpoint(path, task, identity)
    assert str(caught.value).startswith(f"{path}: ")
    return str(caught.value)


@pytest.mark.parametrize(
    ("model", "reduction"),
    [
        pytest.param(CLUB, "none", id="found and reached"),
        pytest.param(CLUB, "symmetry", id="reduced"),
        pytest.param(LAMPS, "none", id="with steps"),
        pytest.param(DIAL, "none", id="several initial worlds"),
        pytest.param(find_model("core"), "none", id="more than a word"),
    ],
)
@pytest.mark.parametrize("worlds", [0, 5, 100])
def test_what_is_written_is_read(tmp_path: Path, model: Model, reduction: str, worlds: int) -> None:
    task, explored = make(model, worlds=worlds, reduction=reduction)
    explored.seconds = 0.125
    expected = deepcopy(explored)
    path = tmp_path / "search"

    write_checkpoint(path, task, IDENTITY, explored)
    read = read_checkpoint(path, task, IDENTITY)
    read.read()

    for name in Explored.__slots__:
        if name != "edges":
            assert getattr(expected, name) == getattr(read, name)
    assert (expected.edges is None) == (read.edges is None)
    if expected.edges is not None and read.edges is not None:
        assert expected.edges.ends == read.edges.ends
        assert expected.edges.targets == read.edges.targets
        assert expected.edges.positions == read.edges.positions
    assert [path] == list(tmp_path.iterdir())


@pytest.mark.parametrize("damage", [b"\xff", b'{"a":' + b"[" * 60_000])
def test_a_head_that_is_no_text_is_refused(kept: tuple[Path, Task], damage: bytes) -> None:
    path, task = kept
    magic, prefix = path.read_bytes()[: len(_MAGIC)], _PREFIX.pack(_VERSION, len(damage))
    path.write_bytes(magic + prefix + damage)

    assert "damaged" in refuse(path, task)
    with pytest.raises(UsageError, match="cannot read"):
        check_free(path)


def test_a_file_that_is_cut_short_is_refused(kept: tuple[Path, Task]) -> None:
    path, task = kept
    content = path.read_bytes()

    for length in [*range(40), *range(40, len(content), 17), len(content) - 1]:
        path.write_bytes(content[:length])
        expected = "not the checkpoint" if length < 16 else "cut short|damaged"
        assert re.search(expected, refuse(path, task))


def test_a_file_with_a_flipped_bit_is_refused(kept: tuple[Path, Task]) -> None:
    path, task = kept
    content = path.read_bytes()

    for place in range(len(content)):
        path.write_bytes(content[:place] + bytes([content[place] ^ 4]) + content[place + 1 :])
        assert refuse(path, task)


def test_a_file_with_more_at_its_end_is_refused(kept: tuple[Path, Task]) -> None:
    path, task = kept
    path.write_bytes(path.read_bytes() + b"x")

    assert "damaged" in refuse(path, task)


def test_other_files_are_refused(tmp_path: Path) -> None:
    task, _ = make()
    path = tmp_path / "search"

    assert "No such file" in refuse(path, task)
    path.write_text("a story")
    assert "not the checkpoint of a search" in refuse(path, task)
    assert "Is a directory" in refuse(tmp_path, task)


def test_another_search_is_refused(kept: tuple[Path, Task]) -> None:
    path, _ = kept
    properties = [prop.name for prop in CLUB.properties]

    for bounded, asked, reduction, problem in [
        (LAMPS.at(), None, "none", "with the model club instead of lamps"),
        (CLUB.at("dogs"), None, "none", "with the scope small instead of dogs"),
        (CLUB.at("small", sizes={"dogs": 1}), None, "none", "with the size dogs="),
        (
            CLUB.at("small", profile="intended"),
            None,
            "none",
            "with the profile nomad-2.0 instead",
        ),
        (CLUB.at("small"), None, "symmetry", "with the reduction none instead of symmetry"),
        (CLUB.at("small"), properties, "none", "with the question about deadlock"),
        (
            CLUB.at("small"),
            [],
            "none",
            f"about {properties[0]} and {len(properties)} others",
        ),
    ]:
        task = make_task(bounded, asked, reduction, stops_at_first=False)
        assert problem in refuse(path, task)


def test_a_search_that_asked_less_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "search"
    task = make_task(CLUB.at(), [DEADLOCK], "none", stops_at_first=False)
    write_checkpoint(path, task, IDENTITY, Search(task).explored)

    assert "with no question about" in refuse(path, make()[0])


def test_changed_rules_are_refused(kept: tuple[Path, Task]) -> None:
    assert "the rules or properties of club have changed" in refuse(*kept, identity="other")


def test_a_newer_format_is_refused(kept: tuple[Path, Task]) -> None:
    path, task = kept
    content = path.read_bytes()
    path.write_bytes(content[:16] + b"\x07" + content[17:])

    assert "format 7, and this version reads 3" in refuse(path, task)


def test_a_full_disk_leaves_the_checkpoint_before_and_nothing_else(
    kept: tuple[Path, Task], monkeypatch: pytest.MonkeyPatch
) -> None:
    path, task = kept
    before = path.read_bytes()

    def fail(_file: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("nomadspec.checkers.explore.checkpoint.os.fsync", fail)
    with pytest.raises(OSError, match="No space left"):
        write_checkpoint(path, task, IDENTITY, make(worlds=20)[1])

    assert [path] == list(path.parent.iterdir())
    assert before == path.read_bytes()


def test_a_search_that_goes_on_after_violations_is_another(kept: tuple[Path, Task]) -> None:
    path, _ = kept
    task = make_task(CLUB.at(), None, "none", stops_at_first=True)

    assert "with a search for every violation (--keep-going) instead of a stop at the first" in refuse(
        path, task
    )
    write_checkpoint(path, task, IDENTITY, Search(task).explored)
    assert "with a stop at the first violation instead of a search for every" in refuse(path, kept[1])


def test_nothing_is_written_over(kept: tuple[Path, Task], tmp_path: Path) -> None:
    path, _ = kept
    check_free(tmp_path / "new")
    other, damaged = tmp_path / "notes", tmp_path / "damaged"
    other.write_text("precious")
    damaged.write_bytes(path.read_bytes()[:30])

    with pytest.raises(UsageError, match=r"holds \d+ worlds of a search of club, scope small: --resume"):
        check_free(path)
    with pytest.raises(UsageError, match="is no checkpoint"):
        check_free(other)
    with pytest.raises(UsageError, match="Is a directory"):
        check_free(tmp_path)
    with pytest.raises(UsageError, match="holds a search that this version cannot read"):
        check_free(damaged)


def test_a_search_that_somebody_else_wrote_is_refused(
    kept: tuple[Path, Task], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, task = kept
    link = tmp_path / "link"
    link.symlink_to(path)
    monkeypatch.setenv("NOMADSPEC_KEY", str(tmp_path / "another"))

    for place in (path, link):
        assert "nothing shows that this user wrote it" in refuse(place, task)


def test_a_forged_search_is_refused_though_its_digest_is_right(kept: tuple[Path, Task]) -> None:
    path, task = kept
    content = bytearray(path.read_bytes()[:-48])
    content[-1] ^= 1
    path.write_bytes(bytes(content) + xxh3_128(content).digest() + bytes(32))

    assert "nothing shows that this user wrote it" in refuse(path, task)


def test_without_settings_the_key_lies_beside_the_search(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "nowhere").write_text("no folder")
    monkeypatch.delenv("NOMADSPEC_KEY")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "nowhere"))
    task, explored = make()
    (tmp_path / "folder").mkdir()
    path = tmp_path / "folder" / "search"
    write_checkpoint(path, task, IDENTITY, explored)

    assert explored.expanded == read_checkpoint(path, task, IDENTITY).expanded
    (tmp_path / "folder" / ".nomadspec-key").unlink()
    assert "nothing shows that this user wrote it" in refuse(path, task)


def test_without_any_place_for_a_key_nothing_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NOMADSPEC_KEY", "/dev/null/key")

    with pytest.raises(OSError, match="there is no place for a key; NOMADSPEC_KEY can name one"):
        write_checkpoint(tmp_path / "search", make()[0], IDENTITY, make()[1])
    assert [] == list(tmp_path.iterdir())
