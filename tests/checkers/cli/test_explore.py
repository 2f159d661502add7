"""``nomadspec explore``."""

import json
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from nomadspec.checkers.cli.choice import Choice
from nomadspec.checkers.cli.explore import Search, find_published_search
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.language.bounded import BoundedModel
from tests.checkers.cli.calling import call
from tests.checkers.cli.schemas import check_output
from tests.checkers.shop import write_shop

USUAL = Search(
    properties=(),
    reduction="none",
    audit=False,
    engine="auto",
    keep_going=False,
    time=None,
    memory=None,
    workers=1,
    ray=False,
    states=None,
    depth=None,
    constraint=None,
    wants_estimate=False,
    checkpoint=None,
    resume=None,
    verbose=False,
)


@pytest.mark.parametrize("words", [(), ("--reduction", "none")])
def test_the_published_counts_are_found(words: tuple[str, ...]) -> None:
    called = call("explore", "--model", "core", "--scope", "small", "--json", *words)

    data = called.data
    check_output(data)
    assert (0, "holds", "none", "small") == (called.code, data["verdict"], data["reduction"], data["scope"])
    assert (34_069, 87_945, 21) == (data["distinct"], data["generated"], data["depth"])


def test_a_violation_is_told_and_kept(tmp_path: Path) -> None:
    path = tmp_path / "s.json"
    called = call("explore", "-m", "2pc", "-s", "hasty", "-p", "managers_agree", "--story-out", path)

    assert 1 == called.code
    assert "    5  ObeyCommit(rm1)     state[rm1]: prepared -> committed\n" in called.out
    assert f"wrote {path}: `nomadspec story {path}` replays it\n" == called.err
    assert 0 == call("story", path).code


def test_the_story_of_what_is_reached_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "s.json"
    words = ("explore", "-m", "2pc", "--set", "rms=2", "-p", "all_commit", "--story-out", path)

    assert 0 == call(*words).code
    assert "all_commit is reached in" in call("story", path).out


def test_without_a_story_no_file_is_written(tmp_path: Path) -> None:
    path = tmp_path / "s.json"
    called = call("explore", "-m", "2pc", "--set", "rms=2", "-p", "managers_agree", "--story-out", path)

    assert not path.exists()
    assert f"wrote no {path}: there is no story to tell\n" == called.err


def test_a_known_finding_is_a_violation_here() -> None:
    data = call("explore", "-m", "2pc", "-s", "hasty", "--json").data

    check_output(data)
    assert "managers_agree" in {finding["property"] for finding in data["findings"]}
    check_output(data["findings"][0]["story"])


def test_sizes_profile_and_properties_can_be_chosen() -> None:
    words = ("--set", "rms=3", "--profile", "intended", "-p", "managers_agree", "-p", "deadlock")
    data = call("explore", "-m", "2pc", *words, "--json").data

    assert ({"rms": 3}, "intended") == (data["sizes"], data["profile"])
    assert ["managers_agree", "deadlock"] == data["checked"]
    assert "--set rms=3 --profile intended --property managers_agree --property deadlock" in data["again"]


def test_a_property_that_is_named_twice_is_asked_for_once() -> None:
    again = call("explore", "-m", "2pc", "--set", "rms=2", *["-p", "managers_agree"] * 2, "--json").data[
        "again"
    ]

    assert 1 == str(again).count("managers_agree")


def test_a_limit_leaves_it_open_and_a_checkpoint_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "c.bin"
    cut = call("explore", "-m", "2pc", "--states", "1000", "--checkpoint", path, "--json")
    whole = call("explore", "-m", "2pc", "--json").data
    resumed = call("explore", "-m", "2pc", "--resume", path, "--json")

    assert (4, "inconclusive", "states") == (cut.code, cut.data["verdict"], cut.data["stopped_by"])
    check_output(cut.data)
    assert 0 == resumed.code
    assert (whole["digest"], whole["distinct"]) == (resumed.data["digest"], resumed.data["distinct"])
    assert "go on" in call("explore", "-m", "2pc", "--states", "9", "--checkpoint", path).out


def test_a_reduction_counts_orbits() -> None:
    assert 314 == call("explore", "-m", "2pc", "--reduction", "symmetry", "--json").data["distinct"]


def test_a_model_of_ones_own_is_explored_and_its_story_replayed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_shop(tmp_path)
    monkeypatch.chdir(tmp_path)

    called = call(
        "explore", "-m", "shop.py:SHOP", "-s", "usual", "-p", "queue_is_short", "--story-out", "s.json"
    )

    assert 1 == called.code
    assert "queue_is_short is violated after 2 steps" in called.out
    assert "shop.py:SHOP" == json.loads((tmp_path / "s.json").read_text())["model"]
    assert 0 == call("story", "s.json").code


def test_a_stuck_world_is_found(tmp_path: Path) -> None:
    called = call("explore", "-m", write_shop(tmp_path), "-s", "strict", "-p", "deadlock")

    assert 1 == called.code
    assert "Stuck after 2 steps" in called.out


@pytest.mark.parametrize("reduction", ["symmetry", "partial-order"])
def test_endless_paths_are_asked_about_in_all_worlds_under_a_reduction(reduction: str) -> None:
    named = call("explore", "-m", "2pc", "-p", "everyone_is_told", "--reduction", reduction, "--json")
    usual = call("explore", "-m", "2pc", "--reduction", reduction, "--json")

    assert (0, {}) == (named.code, named.data["not_checked"])
    assert ["for endless paths all 8,832 worlds were visited"] == named.data["engine_notes"][-1:]
    assert (0, {}) == (usual.code, usual.data["not_checked"])
    assert named.data["engine_notes"][-1:] == usual.data["engine_notes"][-1:]


def test_an_audit_compares_a_reduced_search_with_the_full_one() -> None:
    words = ("explore", "-m", "2pc", "-s", "hasty", "-p", "managers_agree", "--reduction", "partial-order")
    called = call(*words, "--audit", "--json")

    check_output(called.data)
    assert (1, "partial-order", 498, None) == (
        *(called.code, called.data["reduction"]),
        *(called.data["audit"][name] for name in ("full_distinct", "stopped_by")),
    )
    assert "the full search finds the same (498 worlds" in " ".join(call(*words, "--audit").out.split())


def test_an_audit_that_is_not_finished_decides_nothing() -> None:
    words = ("explore", "-m", "2pc", "-p", "deadlock", "--reduction", "symmetry", "--audit", "--states")

    assert [4, 0] == [call(*words, most).code for most in ("1000", "10000")]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--checkpoint", "a", "--resume", "b"), "leave --checkpoint out"),
        (("--audit",), "choose a reduction as well"),
        (("--property", "managers_agre"), "did you mean managers_agree"),
    ],
)
def test_contradictions_are_refused(words: tuple[str, ...], sentence: str) -> None:
    called = call("explore", "-m", "2pc", *words)

    assert 2 == called.code
    assert sentence in called.err


def test_a_checkpoint_that_is_none_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "c.bin"
    path.write_bytes(b"hello")

    called = call("explore", "-m", "2pc", "--resume", path)

    assert (3, "") == (called.code, called.out)
    assert str(path) in called.err


def test_a_search_that_is_over_says_that_its_checkpoint_is_gone(tmp_path: Path) -> None:
    path = tmp_path / "c.bin"
    whole = call("explore", "-m", "2pc", "--checkpoint", path)
    cut = call("explore", "-m", "2pc", "--states", "9", "--checkpoint", path)
    resumed = call("explore", "-m", "2pc", "--resume", path)

    told = f"removed {path}: the search is over, and nothing is left to resume\n"
    assert [True, False, True] == [told in one.err for one in (whole, cut, resumed)]
    assert not path.exists()


def test_a_kept_search_is_neither_written_over_nor_thrown_away(tmp_path: Path) -> None:
    path = tmp_path / "c.bin"
    call("explore", "-m", "2pc", "--states", "1000", "--keep-going", "--checkpoint", path)
    kept = path.read_bytes()

    anew = call("explore", "-m", "2pc", "--keep-going", "--checkpoint", path)
    otherwise = call("explore", "-m", "2pc", "--resume", path)

    assert (2, 3) == (anew.code, otherwise.code)
    assert f"--resume {path} goes on from there" in " ".join(anew.err.split())
    assert "--keep-going" in otherwise.err
    assert kept == path.read_bytes()


@cache
def bind_bare(profile: str) -> BoundedModel:
    """Bind the kernel without its rules: what is published of it goes by its scope and profile."""
    return replace(find_model("kernel"), rules=(), properties=()).at("reference", profile=profile)


PROFILES = ("nomad-2.0", "intended")


def test_as_many_worlds_are_expected_as_are_published_of_this_profile() -> None:
    shipped, _ = choices = [Choice("kernel", "reference", profile=profile) for profile in PROFILES]
    small = Choice("kernel", "reference", sizes={"jobs": 1})

    published = [find_published_search(bind_bare(one.profile or ""), one, "none") for one in choices]

    assert [22_924_971, 5_435_586] == [one and one.distinct for one in published]
    assert find_published_search(bind_bare(PROFILES[0]), small, "none") is None
    assert find_published_search(bind_bare(PROFILES[0]), shipped, "partial-order") is None


def test_published_worlds_are_expected_only_where_nothing_ends_the_search_before() -> None:
    choices = [Choice("kernel", "reference", profile=profile) for profile in PROFILES]
    broken, whole = (find_published_search(bind_bare(one.profile or ""), one, "none") for one in choices)

    assert broken is not None
    assert broken.known
    assert 5_435_586 == USUAL.find_expected(whole)
    assert USUAL.find_expected(broken) is USUAL.find_expected(None) is None
    assert 22_924_971 == replace(USUAL, keep_going=True).find_expected(broken)
    assert replace(USUAL, depth=3).find_expected(whole) is None
    assert replace(USUAL, constraint="s.elected == 0").find_expected(whole) is None


def test_a_checkpoint_that_is_a_folder_is_refused_before_the_search(tmp_path: Path) -> None:
    called = call("explore", "-m", "2pc", "--checkpoint", tmp_path)

    assert (2, "") == (called.code, called.out)
    assert f"{tmp_path} cannot be written (Is a directory): name another file." in called.err


def test_what_a_scope_settles_is_called_true_by_definition() -> None:
    """Where no node ever changes, nothing is asked of what follows from a change."""
    called = call("explore", "--model", "core", "--scope", "small")
    (row,) = [line for line in called.out.splitlines() if "concerned_jobs_are_evaluated_again" in line]

    assert row.split() == ["concerned_jobs_are_evaluated_again", "step", "true", "by", "definition", "here"]


def test_who_keeps_a_story_is_not_told_how(tmp_path: Path) -> None:
    words = ("explore", "--model", "2pc", "--scope", "hasty")

    assert "keep it" in call(*words).out
    assert "keep it" not in call(*words, "--story-out", tmp_path / "story.json").out


def test_a_quirk_of_the_profile_stands_with_its_title() -> None:
    head = call("explore", "--model", "2pc", "--scope", "hasty", "--depth", "1").out.splitlines()[:2]

    assert [
        "2pc, scope hasty (rms=3), profile X-03",
        "  X-03: The transaction manager commits as soon as one resource manager is prepared",
    ] == head
