"""The choice of an engine, and what the report says of it."""

import sys

import pytest

from nomadspec.checkers.explore import engines, explore
from nomadspec.checkers.explore.engines import check_engine, find_size_to_compile, find_steps_to_compile
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.errors import UnknownNameError, UsageError
from tests.checkers.explore.models import CLUB
from tests.checkers.native.models import SHELF


def test_unknown_engines_are_refused() -> None:
    with pytest.raises(UnknownNameError, match="compiled"):
        check_engine("compild")
    for engine in engines.ENGINES:
        check_engine(engine)


def test_without_the_package_nothing_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "is_available", lambda: False)

    with pytest.raises(UsageError, match="pip install llvmlite"):
        check_engine("compiled")
    check_engine("auto")
    assert [sys.maxsize] * 2 == [find_size_to_compile(engine) for engine in ("auto", "interpreted")]


def test_small_searches_are_not_worth_compiling(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "is_available", lambda: True)
    sizes = [find_size_to_compile(engine) for engine in ("compiled", "auto", "interpreted")]

    assert 0 == sizes[0] < sizes[1] < sizes[2]
    assert "interpreted" == explore(CLUB.at("small")).engine


def test_the_report_says_who_took_the_steps_and_what_it_costs() -> None:
    two_words = explore(
        find_model("core").at("small", sizes={"nodes": 1}, profile="nomad-2.0"), engine="compiled"
    )
    refused = explore(SHELF.at("huge"), engine="compiled", max_states=100)
    wide = explore(SHELF.at("wide"), engine="compiled", max_states=100)

    assert "compiled" == two_words.engine
    assert ("interpreted", True) == (refused.engine, "62 bits" in refused.engine_notes[0])
    assert ("compiled", True) == (wide.engine, "a world takes 3 words" in wide.engine_notes[0])


def test_many_steps_are_worth_compiling_where_there_is_little_to_compile(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(engines, "is_available", lambda: True)

    assert 2_000 == find_steps_to_compile("auto", 20)
    assert 6_666 == find_steps_to_compile("auto", 100)
    assert [0, sys.maxsize] == [find_steps_to_compile(engine, 20) for engine in ("compiled", "interpreted")]
