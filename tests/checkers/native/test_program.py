"""The machine code of a model: its successors are those of the interpreter, and what it says it costs."""

import time
from dataclasses import replace
from pathlib import Path

import pytest

from nomadspec.checkers.explore import explore
from nomadspec.checkers.native import program
from nomadspec.checkers.native.memory import Memory
from nomadspec.checkers.native.worlds import StoredWorlds
from nomadspec.checkers.stepper.layout import Layout
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.language.bounded import BoundedModel
from nomadspec.model.language.fingerprint import digest
from tests.checkers.native.calling import make_program
from tests.checkers.native.models import CALM, SHELF


def list_worlds(bounded: BoundedModel, count: int) -> list[int]:
    layout = Layout(bounded)
    found = dict.fromkeys(bounded.initial)
    for cells in (queue := list(found)):
        for _, after in bounded.successors(cells):
            if after not in found and len(found) < count:
                found[after] = None
                queue.append(after)
    return [layout.pack(cells) for cells in found]


@pytest.mark.parametrize("bounded", [CALM.at(), SHELF.at("wide")])
def test_digests_and_budgets_are_read_from_stored_worlds(bounded: BoundedModel) -> None:
    compiled, words = make_program(bounded)
    worlds = list_worlds(bounded, 100)
    stored = StoredWorlds(words, worlds)

    assert digest(worlds, Layout(bounded).byte_count) == compiled.compute_digest(stored)
    assert {} == compiled.find_maxima(stored)


def test_long_worlds_are_left_to_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program, "MOST_LANES", 0)
    compiled, words = make_program(CALM.at())

    assert compiled.compute_digest(StoredWorlds(words, [1])) is None


def test_what_is_dear_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    cheap, _ = make_program(CALM.at())
    wide, words = make_program(SHELF.at("wide"))
    monkeypatch.setattr(program, "_MOST_LINES", 10)
    monkeypatch.setenv("NOMADSPEC_CACHE", str(tmp_path))
    long, _ = make_program(CALM.at())

    assert () == cheap.list_notes()
    (note,) = wide.list_notes()
    assert f"{words.count} words: {8 * words.count} bytes" in note
    assert ["is not optimised yet"] == [note[-20:] for note in long.list_notes()]


def test_worlds_are_expanded_until_there_is_no_room() -> None:
    bounded = CALM.at()
    compiled, words = make_program(bounded)
    stored = StoredWorlds(words, list_worlds(bounded, 50))
    out, entries, notes, opened = (Memory(1 << 16) for _ in range(4))
    layout = Layout(bounded)
    addresses = out.address, entries.address

    end = compiled.expand(stored.memory.address, 0, 50, *addresses, 20, notes.address, opened.address)

    made = [
        (entries.word(at) & 0xFFFFFFFF, entries.word(at) >> 32, out.word(at)) for at in range(notes.word(0))
    ]
    expected = [
        (number, instance.number, layout.pack(after))
        for number in range(end)
        for instance, after in bounded.successors(layout.unpack(stored[number]))
    ]
    assert expected == made
    assert 20 <= len(made) < 20 + len(bounded.instances)


def test_long_texts_are_compiled_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    bounded = find_model("2pc").at("small", sizes={"rms": 3}, profile="nomad-2.0")
    whole, _ = make_program(bounded)
    monkeypatch.setattr(program, "_PIECE_LINES", 1)
    pieces, _ = make_program(bounded)

    searched = explore(bounded, engine="compiled", stop_at_first=False)

    assert 3 == len(whole.texts) < len(pieces.texts)
    assert replace(explore(bounded, stop_at_first=False), seconds=0, engine="compiled") == replace(
        searched, seconds=0
    )


def test_a_long_search_goes_on_with_better_code(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("NOMADSPEC_CACHE", str(tmp_path))
    monkeypatch.setattr(program, "_MOST_LINES", 10)
    bounded = CALM.at()
    compiled, _ = make_program(bounded)
    before = compiled.code

    compiled.improve(1000)
    assert not compiled.take_better()
    compiled.improve(500_000)
    end = time.monotonic() + 1200
    while not compiled.take_better() and time.monotonic() < end:
        time.sleep(0.01)

    assert compiled.code is not before
    assert 2 == compiled.level == make_program(bounded)[0].level
