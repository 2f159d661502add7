from pathlib import Path

import pytest

from nomadspec.checkers.mutants.difference import Difference, Effect
from nomadspec.checkers.mutants.ledger import Ledger, compute_identity
from nomadspec.checkers.mutants.parts import list_parts
from nomadspec.model.errors import InputError, UsageError
from tests.checkers.mutants.jar import JAR, search_of

SEEN = Difference(Effect.WORLDS, frozenset({"a", "b"}))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "jar.mutants"
    ledger = Ledger(path, "x")
    ledger.note("m#1", "two", SEEN)
    ledger.note("m#2", "two", Difference(Effect.NONE))
    ledger.close()
    return path


def test_what_was_noted_is_found_again(path: Path) -> None:
    ledger = Ledger(path, "x")

    assert SEEN == ledger.find("m#1", "two")
    assert Difference(Effect.NONE) == ledger.find("m#2", "two")
    assert ledger.find("m#1", "three") is None
    ledger.close()


def test_a_line_that_was_cut_off_is_forgotten(path: Path) -> None:
    path.write_text(path.read_text()[:-20])
    ledger = Ledger(path, "x")

    assert SEEN == ledger.find("m#1", "two")
    assert ledger.find("m#2", "two") is None
    ledger.close()


def test_what_is_written_behind_a_line_that_was_cut_off_is_read(path: Path) -> None:
    path.write_text(path.read_text()[:-20])
    ledger = Ledger(path, "x")
    ledger.note("m#3", "two", SEEN)
    ledger.close()
    ledger = Ledger(path, "x")

    assert SEEN == ledger.find("m#3", "two")
    ledger.close()


def test_another_text_is_refused(path: Path) -> None:
    with pytest.raises(UsageError, match="about another text of the model"):
        Ledger(path, "y")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("hello\n", "line 1, column 1: it is no ledger of mutants: this is no JSON"),
        ('{"a": 1}\n', "line 1: it is no ledger of mutants"),
        ("[" * 100_000, "line 1: it is no ledger of mutants"),
        ('{"schema": 1, "schema": 2}\n', "the member 'schema' is there twice."),
        ("9" * 6000, "line 1: it is no ledger of mutants"),
        ('{"schema": "nomadspec/mutants-ledger/1", "identity": "x"}\n{}\n', "line 2: it names no effect"),
    ],
)
def test_a_file_that_is_none_is_refused(tmp_path: Path, text: str, complaint: str) -> None:
    path = tmp_path / "other"
    path.write_text(text)

    with pytest.raises(InputError, match=complaint):
        Ledger(path, "x")


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is no file"):
        Ledger(tmp_path, "x")


def test_a_place_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    (tmp_path / "taken").touch()
    with pytest.raises(UsageError, match=r"cannot be written \(Not a directory\)"):
        Ledger(tmp_path / "taken" / "file", "x")


def test_its_folder_is_made(tmp_path: Path) -> None:
    Ledger(tmp_path / "missing" / "file", "x").close()

    assert (tmp_path / "missing" / "file").exists()


def test_without_a_file_nothing_is_kept() -> None:
    ledger = Ledger(None, "")
    ledger.note("m#1", "two", SEEN)
    ledger.close()

    assert SEEN == ledger.find("m#1", "two")


def test_the_identity_is_that_of_text_and_searches() -> None:
    parts = list_parts(JAR)

    assert compute_identity(parts, [search_of()]) == compute_identity(parts, [search_of()])
    assert compute_identity(parts, [search_of()]) != compute_identity(parts, [search_of("three")])


@pytest.mark.parametrize("length", [0, 1, 40])
def test_a_run_that_was_killed_at_its_first_line_begins_anew(path: Path, length: int) -> None:
    whole = path.read_bytes().splitlines(keepends=True)[0]
    path.write_bytes(whole[:length])
    ledger = Ledger(path, "x")
    ledger.note("m#3", "two", SEEN)
    ledger.close()

    assert whole == path.read_bytes().splitlines(keepends=True)[0]
    ledger = Ledger(path, "x")
    assert SEEN == ledger.find("m#3", "two")
    ledger.close()


def test_a_full_disk_ends_no_run(path: Path) -> None:
    ledger = Ledger(path, "x")
    ledger.close()
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        ledger._file = full
        ledger.note("m#3", "two", SEEN)
    ledger.note("m#4", "two", SEEN)
    ledger.close()

    assert SEEN == ledger.find("m#4", "two")
    assert "could not be written (No space left on device)" in str(ledger.problem)


@pytest.mark.parametrize(
    "entry", ['{"effect": []}', '{"effect": {}}', '{"effect": "worlds", "names": 3}', "3", '{"effect": NaN}']
)
def test_an_entry_of_other_types_is_refused(path: Path, entry: str) -> None:
    path.write_text(path.read_text() + entry + "\n")

    with pytest.raises(InputError, match="line 4"):
        Ledger(path, "x")


def test_line_ends_of_another_system_cut_nothing_off(path: Path) -> None:
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n") + b'{"mutant"')
    ledger = Ledger(path, "x")

    assert Difference(Effect.NONE) == ledger.find("m#2", "two")
    ledger.close()
    assert path.read_bytes().endswith(b"\r\n")
