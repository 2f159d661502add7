"""The key is the user's alone, and what is sealed with it nobody else can have written."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from nomadspec.checkers.sealing import (
    begin_seal,
    find_key,
    find_own_folder,
    is_only_mine,
    list_keys,
    make_folder,
    read_mine,
)

ASK = """
import sys
from pathlib import Path
from nomadspec.checkers.sealing import find_key
sys.stdin.read()
print((find_key(Path(sys.argv[1])) or b"none").hex())
"""


@pytest.fixture(autouse=True)
def _without_a_choice(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("NOMADSPEC_KEY")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))


def test_a_key_is_made_once_and_for_its_user_only(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        key = find_key(tmp_path)
    finally:
        os.umask(before)
    path = tmp_path / "settings" / "nomadspec" / "key"

    assert key == find_key(tmp_path) == path.read_bytes()
    assert [key] == list_keys(tmp_path)
    assert [0o600, 0o700] == [stat.S_IMODE(one.stat().st_mode) for one in (path, path.parent)]
    assert [path] == list(path.parent.iterdir())


def test_processes_that_begin_at_once_have_one_key(tmp_path: Path) -> None:
    asking = [
        subprocess.Popen(
            [sys.executable, "-c", ASK, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        for _ in range(4)
    ]
    for one in asking:
        assert one.stdin is not None
        one.stdin.close()
    keys = {one.stdout.read() for one in asking if one.stdout is not None}
    for one in asking:
        assert one.stdout is not None
        one.stdout.close()
        assert 0 == one.wait()

    assert 1 == len(keys)
    assert 65 == len(keys.pop())


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o602])
def test_a_key_that_others_know_is_none(tmp_path: Path, mode: int, capfd: pytest.CaptureFixture[str]) -> None:
    find_key(tmp_path)
    (tmp_path / "settings" / "nomadspec" / "key").chmod(mode)

    assert (tmp_path / ".nomadspec-key").exists() is False
    assert [] == list_keys(tmp_path)
    assert find_key(tmp_path) == (tmp_path / ".nomadspec-key").read_bytes()
    assert "so it is not used: `chmod go-rwx`" in capfd.readouterr().err


def test_a_key_of_somebody_else_or_too_short_or_a_link_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NOMADSPEC_KEY", str(tmp_path / "key"))
    find_key(tmp_path)
    (tmp_path / "key").rename(tmp_path / "real")
    (tmp_path / "key").symlink_to(tmp_path / "real")
    assert find_key(tmp_path) is None
    (tmp_path / "key").unlink()
    (tmp_path / "key").write_bytes(b"short")
    (tmp_path / "key").chmod(0o600)
    assert find_key(tmp_path) is None
    (tmp_path / "real").rename(tmp_path / "key")
    assert find_key(tmp_path) is not None
    me = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: me + 1)
    assert find_key(tmp_path) is None


def test_a_folder_in_the_place_of_a_file_is_none(tmp_path: Path) -> None:
    assert read_mine(tmp_path) is None


def test_a_folder_counts_only_with_its_whole_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/anna")

    for chosen, expected in (
        ("/other/anna", "/other/anna/nomadspec"),
        ("anna", "/anna/.cache/nomadspec"),
        ("", "/anna/.cache/nomadspec"),
    ):
        monkeypatch.setenv("XDG_CACHE_HOME", chosen)
        assert Path(expected) == find_own_folder("XDG_CACHE_HOME", ".cache")


def test_a_seal_depends_on_key_purpose_and_content() -> None:
    seals = []
    for key, purpose, content in [(b"k", "p", b"c"), (b"l", "p", b"c"), (b"k", "q", b"c"), (b"k", "p", b"d")]:
        seal = begin_seal(key, purpose)
        seal.update(content)
        seals.append(seal.digest())

    assert 4 == len(set(seals))


def test_folders_are_made_for_their_user(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        make_folder(tmp_path / "a" / "b")
    finally:
        os.umask(before)

    assert is_only_mine(tmp_path / "a")
    assert is_only_mine(tmp_path / "a" / "b")
    assert not is_only_mine(tmp_path / "c")
