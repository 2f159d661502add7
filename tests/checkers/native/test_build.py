"""Compiling, by way of a cache that may be missing, damaged or read-only."""

import ctypes
import os
import sys
import time
from pathlib import Path

import pytest

from nomadspec.checkers.native import build
from nomadspec.checkers.native.build import Improvement, MachineCode, Text, find_cache, is_available

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
    end = time.monotonic() + 20
    while not better.is_there() and time.monotonic() < end:
        time.sleep(0.01)

    assert better.is_there()
    assert [Text(TWICE, 2)] == list(better.choose([Text("", 0)]))
    assert 1 == compile_both(tmp_path).compiled


def test_who_improves_a_text_holds_nothing_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOMADSPEC_CACHE", str(tmp_path))
    monkeypatch.setattr(build, "_compile", lambda *_: time.sleep(20))
    reads, writes = os.pipe()

    Improvement([Text(TWICE, 2)]).begin()
    os.close(writes)
    begun = time.monotonic()
    assert not os.read(reads, 1)

    assert time.monotonic() - begun < 10
    os.close(reads)


def test_nothing_is_improved_where_there_is_no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "find_cache", lambda: None)

    better = Improvement([Text(TWICE, 2)])
    better.begin()

    assert not better.is_there()
    assert [Text("", 0)] == list(better.choose([Text("", 0)]))
