"""One search writes a file; nobody else does."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from nomadspec.checkers.explore.lock import Lock

TAKE = """
import sys
from pathlib import Path
from nomadspec.checkers.explore.lock import Lock
print(Lock(Path(sys.argv[1])).take())
"""


def ask_another(path: Path) -> str:
    """Let another process try to take the lock."""
    return subprocess.run(
        [sys.executable, "-c", TAKE, str(path)], capture_output=True, text=True, check=True
    ).stdout.strip()


def test_it_is_held_against_others_until_it_is_given_back(tmp_path: Path) -> None:
    lock, other = Lock(tmp_path / "search"), Lock(tmp_path / "search")

    assert lock.take()
    assert not other.take()
    assert "False" == ask_another(tmp_path / "search")
    other.give_back()
    assert [tmp_path / "search.lock"] == list(tmp_path.iterdir())
    lock.give_back()
    assert [] == list(tmp_path.iterdir())
    assert other.take()
    other.give_back()


def test_it_ends_with_its_process(tmp_path: Path) -> None:
    assert "True" == ask_another(tmp_path / "search")
    assert [tmp_path / "search.lock"] == list(tmp_path.iterdir())

    lock = Lock(tmp_path / "search")
    assert lock.take()
    lock.give_back()


def test_a_copy_of_the_process_does_not_hold_it(tmp_path: Path) -> None:
    lock = Lock(tmp_path / "search")
    lock.take()
    is_copied, is_asked = os.pipe(), os.pipe()
    child = os.fork()
    if not child:
        os.write(is_copied[1], b"x")
        os.read(is_asked[0], 1)
        os._exit(0)

    os.read(is_copied[0], 1)
    lock.leave()
    after = Lock(tmp_path / "search")
    is_free = after.take()
    after.give_back()
    os.write(is_asked[1], b"x")
    os.waitpid(child, 0)

    assert is_free


def test_where_no_file_can_be_made_nobody_has_it(tmp_path: Path) -> None:
    assert Lock(tmp_path / "no" / "folder").take()


def test_where_files_cannot_be_locked_nobody_has_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError(37, "No locks available")

    monkeypatch.setattr("nomadspec.checkers.explore.lock.fcntl.flock", fail)
    lock = Lock(tmp_path / "search")

    assert lock.take()
    lock.give_back()
    assert [] == list(tmp_path.iterdir())


def test_what_its_holder_removed_meanwhile_is_not_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def remove(*_: object) -> None:
        (tmp_path / "search.lock").unlink()

    monkeypatch.setattr("nomadspec.checkers.explore.lock.fcntl.flock", remove)

    assert not Lock(tmp_path / "search").take()


def test_a_link_that_somebody_put_there_leads_nowhere(tmp_path: Path) -> None:
    (tmp_path / "search.lock").symlink_to(tmp_path / "elsewhere")
    lock = Lock(tmp_path / "search")

    assert lock.take()
    lock.give_back()
    assert not (tmp_path / "elsewhere").exists()


def test_the_root_of_all_folders_is_a_name_like_any_other() -> None:
    assert isinstance(Lock(Path("/")), Lock)
