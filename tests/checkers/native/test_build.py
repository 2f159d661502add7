"""Compiling, by way of a cache that may be missing, damaged or read-only."""

import ctypes
import os
import select
import stat
import sys
import time
from pathlib import Path

import pytest

from nomadspec.checkers.native import build
from nomadspec.checkers.native.build import Improvement, MachineCode, Text, find_cache, is_available

pytestmark = pytest.mark.usefixtures("optimised_code")

TWICE = "define i64 @twice(i64 %x) {\n  %y = add i64 %x, %x\n  ret i64 %y\n}"
FOURFOLD = """
declare i64 @twice(i64)
define i64 @fourfold(i64 %x) {
  %y = call i64 @twice(i64 %x)
  %z = call i64 @twice(i64 %y)
  ret i64 %z
}"""


def compile_both(cache: Path, level: int = 2) -> MachineCode:
    return MachineCode([Text(TWICE, level), Text(FOURFOLD, 0)], ["fourfold"], cache)


def call(code: MachineCode, value: int) -> int:
    return int(ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)(code.addresses["fourfold"])(value))


def test_texts_call_one_another_and_are_compiled_once(tmp_path: Path) -> None:
    first, second, other = compile_both(tmp_path), compile_both(tmp_path), compile_both(tmp_path, 0)

    assert [20, 20, -4] == [call(first, 5), call(second, 5), call(other, -1)]
    assert [2, 0, 1] == [first.compiled, second.compiled, other.compiled]
    assert 3 == len(list(tmp_path.iterdir()))


@pytest.mark.parametrize("damage", [b"", b"short", b"x" * 5000])
def test_damaged_code_is_compiled_again(tmp_path: Path, damage: bytes) -> None:
    compile_both(tmp_path)
    for path in tmp_path.iterdir():
        path.write_bytes(damage)

    again = compile_both(tmp_path)

    assert (2, 12) == (again.compiled, call(again, 3))
    assert 0 == compile_both(tmp_path).compiled


@pytest.mark.parametrize("kind", ["pipe", "device", "nowhere"])
def test_what_is_no_file_in_the_cache_is_replaced(tmp_path: Path, kind: str) -> None:
    compile_both(tmp_path)
    for path in sorted(tmp_path.iterdir()):
        path.unlink()
        if kind == "pipe":
            os.mkfifo(path)
        else:
            path.symlink_to("/dev/zero" if kind == "device" else "nowhere")

    again = compile_both(tmp_path)

    assert (2, 12) == (again.compiled, call(again, 3))
    assert 0 == compile_both(tmp_path).compiled
    assert Path("/dev/zero").is_char_device()


def test_a_cache_that_cannot_be_written_is_only_slower(tmp_path: Path) -> None:
    place = tmp_path / "file"
    place.write_text("no folder")

    code = compile_both(place)

    assert (2, 12) == (code.compiled, call(code, 3))
    assert [place] == list(tmp_path.iterdir())


def test_a_rename_that_fails_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_self: Path, _target: Path) -> None:
        raise OSError

    monkeypatch.setattr(Path, "replace", fail)

    assert 2 == compile_both(tmp_path).compiled
    assert [] == list(tmp_path.iterdir())


def test_the_cache_is_where_it_was_asked_for_or_where_caches_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOMADSPEC_CACHE", "/chosen")
    assert Path("/chosen") == find_cache()
    monkeypatch.delenv("NOMADSPEC_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", "/usual")
    assert Path("/usual/nomadspec") == find_cache()
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", "/me")
    assert Path("/me/.cache/nomadspec") == find_cache()


def test_without_a_home_there_is_no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> Path:
        raise RuntimeError

    monkeypatch.delenv("NOMADSPEC_CACHE")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(Path, "home", fail)

    assert find_cache() is None
    assert 1 == MachineCode([Text(TWICE, 0)], ["twice"]).compiled


def test_it_is_known_where_it_was_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "find_spec", lambda _name: None)
    assert not is_available()
    monkeypatch.setattr(build, "find_spec", lambda _name: object())
    assert is_available()
    monkeypatch.setattr(sys, "platform", "darwin")
    assert not is_available()


def test_a_text_is_improved_beside_other_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOMADSPEC_CACHE", str(tmp_path))
    better = Improvement([Text(TWICE, 2)])
    assert [Text("", 0)] == list(better.choose([Text("", 0)]))
    assert not better.is_there()

    better.begin()
    end = time.monotonic() + 1200
    while not better.is_there() and time.monotonic() < end:
        time.sleep(0.01)

    assert better.is_there()
    assert [Text(TWICE, 2)] == list(better.choose([Text("", 0)]))
    assert 1 == compile_both(tmp_path).compiled


def test_who_improves_a_text_holds_nothing_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOMADSPEC_CACHE", str(tmp_path))
    monkeypatch.setattr(build, "_compile", lambda *_: wait_for(tmp_path / "told"))
    reads, writes = os.pipe()

    Improvement([Text(TWICE, 2)]).begin()
    os.close(writes)
    is_closed, _, _ = select.select([reads], [], [], 600)
    (tmp_path / "told").touch()

    assert is_closed
    assert not os.read(reads, 1)
    os.close(reads)


def wait_for(sign: Path) -> None:
    """Compile until it is told to end."""
    while sign.parent.exists() and not sign.exists():
        time.sleep(0.01)


def test_nothing_is_improved_where_there_is_no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "find_cache", lambda: None)

    better = Improvement([Text(TWICE, 2)])
    better.begin()

    assert not better.is_there()
    assert [Text("", 0)] == list(better.choose([Text("", 0)]))


def list_modes(folder: Path) -> set[int]:
    return {stat.S_IMODE(path.stat().st_mode) for path in [folder, *folder.iterdir()]}


def test_nobody_else_can_write_code_whatever_the_umask(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        compile_both(tmp_path / "new" / "cache")
    finally:
        os.umask(before)

    assert {0o700, 0o600} == list_modes(tmp_path / "new" / "cache")
    assert 0o700 == stat.S_IMODE((tmp_path / "new").stat().st_mode)


def test_code_of_another_name_or_key_is_compiled_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compile_both(tmp_path)
    one, other = sorted(tmp_path.iterdir())
    mixed = one.read_bytes(), other.read_bytes()
    one.write_bytes(mixed[1])
    other.write_bytes(mixed[0])

    assert 2 == compile_both(tmp_path).compiled
    monkeypatch.setenv("NOMADSPEC_KEY", str(tmp_path / "key"))
    assert 2 == compile_both(tmp_path).compiled


@pytest.mark.parametrize("mode", [0o770, 0o707, 0o777])
def test_a_folder_that_others_can_write_is_not_used(
    tmp_path: Path, mode: int, capfd: pytest.CaptureFixture[str]
) -> None:
    compile_both(tmp_path)
    tmp_path.chmod(mode)

    assert [2, 2] == [compile_both(tmp_path).compiled, compile_both(tmp_path).compiled]
    assert 1 == capfd.readouterr().err.count(f"{tmp_path} can be written by others, so it is not used")


def test_a_file_that_others_can_write_is_not_used(tmp_path: Path) -> None:
    compile_both(tmp_path)
    for path in tmp_path.iterdir():
        path.chmod(0o620)

    assert 2 == compile_both(tmp_path).compiled
    assert {0o700, 0o600} == list_modes(tmp_path)


def test_what_belongs_to_somebody_else_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    compile_both(tmp_path)
    me = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: me + 1)

    assert 2 == compile_both(tmp_path).compiled
    assert f"{tmp_path} belongs to another user, so it is not used" in capfd.readouterr().err


def test_a_link_in_the_cache_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "cache").mkdir(mode=0o700)
    compile_both(tmp_path / "cache")
    for path in list((tmp_path / "cache").iterdir()):
        path.rename(tmp_path / path.name)
        path.symlink_to(tmp_path / path.name)

    assert 2 == compile_both(tmp_path / "cache").compiled
