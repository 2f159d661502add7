"""What fails in a user's model, on the command line: a violation with a story that can be replayed."""

from pathlib import Path

import pytest

from tests.checkers.cli.calling import call
from tests.checkers.cli.schemas import check_output

BELL = '''"""A bell that nobody stops."""

from nomadspec.model.language.domain import upto
from nomadspec.model.language.model import Model
from nomadspec.model.language.property import always
from nomadspec.model.language.rule import rule
from nomadspec.model.language.world import World, field, size


class Bell(World):
    """A bell."""

    most = size(2, "how often it may ring")
    rung = field(upto(most), init=0, about="how often it rang")


@rule("B-1")
def ring(s, t):
    """It rings once more."""
    t.rung = s.rung + 1


@always("B-1", why="it breaks on purpose")
def it_is_quiet(s):
    """It rang once at most."""
    return s.rung <= 1


BELL = Model("bell", "a bell", Bell, (ring,), (it_is_quiet,))
'''


@pytest.fixture
def bell(tmp_path: Path) -> str:
    path = tmp_path / "bell.py"
    path.write_text(BELL)
    return f"{path}:BELL"


@pytest.mark.parametrize("verb", [("explore",), ("simulate", "--seed", "1")])
def test_a_failing_step_exits_with_1_and_its_story_replays(
    tmp_path: Path, bell: str, verb: tuple[str, ...]
) -> None:
    story = tmp_path / "story.json"
    asked = (*verb, "--model", bell, "--property", "deadlock")
    called = call(*asked, "--story-out", story)
    told = call("story", story)

    assert (1, 0) == (called.code, told.code)
    assert "domains_are_kept is broken after 3 steps" in called.out
    assert "    3  Ring()  fails\n" in called.out
    assert "rung := 3 leaves its domain, 0 .. 2." in " ".join(told.out.split())
    assert "as told  Step 3, Ring(), fails" in told.out


def test_the_json_names_the_promise(bell: str, tmp_path: Path) -> None:
    for verb in (("explore",), ("simulate", "--seed", "1")):
        data = call(*verb, "--model", bell, "--property", "deadlock", "--json").data
        check_output(data)
        (finding,) = data["findings"]
        assert ("violated", "domains_are_kept", "promise", 3) == (
            data["verdict"],
            finding["property"],
            finding["kind"],
            finding["steps"],
        )
        assert "domains_are_kept" in data["checked"]


def test_what_was_found_before_is_told_with_it(bell: str) -> None:
    called = call("explore", "--model", bell, "--keep-going")

    assert 1 == called.code
    assert "it_is_quiet       always   violated after 2 steps" in called.out
    assert "deadlock                   not refuted so far" in called.out
    assert "domains_are_kept  promise  violated after 3 steps" in called.out


def test_a_promise_that_is_kept_can_be_asked_for(bell: str) -> None:
    called = call("explore", "--model", bell, "--property", "queues_are_used_well", "--states", "2")
    whole = call("explore", "--model", "2pc", "--property", "domains_are_kept")

    assert 4 == called.code
    assert (0, True) == (whole.code, "kept in every step" in whole.out)


@pytest.mark.parametrize("form", ["--dag dot", "--export itf", "--export sequence", "--json"])
def test_the_story_is_drawn_and_exported(tmp_path: Path, bell: str, form: str) -> None:
    story = tmp_path / "story.json"
    call("explore", "--model", bell, "--property", "deadlock", "--story-out", story)
    called = call("story", story, *form.split())

    assert (0, "") == (called.code, called.err)
    assert "domains_are_kept" in called.out or "fails" in called.out


def test_a_story_that_claims_it_wrongly_exits_with_1(tmp_path: Path, bell: str) -> None:
    story = tmp_path / "story.json"
    call("explore", "--model", bell, "--property", "deadlock", "--story-out", story)
    story.write_text(story.read_text().replace("domains_are_kept", "rules_do_not_fail"))

    assert 1 == call("story", story).code


def test_expressions_and_reasons_are_told_along_it(tmp_path: Path, bell: str) -> None:
    story = tmp_path / "story.json"
    call("explore", "--model", bell, "--property", "deadlock", "--story-out", story)
    called = call("story", story, "--eval", "2 * s.rung", "--why-not", "Ring()", "--at", "2")
    data = call("story", story, "--eval", "2 * s.rung", "--why-not", "Ring()", "--json").data

    assert "2 Ring()  4" in called.out
    assert "Ring() fails, after 2 steps: Rule Ring" in " ".join(called.out.split())
    check_output(data)
    assert [0, 2, 4] == data["values"][0]["values"]
    assert not data["reasons"][0]["possible"]
    for wrong in ("--eval s.", "--why-not Rin()", "--at 1", "--why-not Ring() --at 9"):
        assert 2 == call("story", story, *wrong.split()).code


def test_bounds_are_named_by_the_verdict(bell: str) -> None:
    deep = call("explore", "--model", bell, "--property", "it_is_quiet", "--depth", "1")
    few = call("explore", "--model", bell, "--constraint", "s.rung < 1", "--json")
    wrong = call("explore", "--model", bell, "--constraint", "s.rung")

    assert 4 == deep.code
    assert "INCONCLUSIVE  holds within depth 1, beyond which there is more: 2 worlds" in deep.out
    assert "it_is_quiet  always  holds within depth 1" in deep.out
    assert "--depth 1" in deep.out
    check_output(few.data)
    assert (4, "constraint") == (few.code, few.data["stopped_by"])
    assert [{"kind": "constraint", "text": "s.rung < 1", "is_reached": True}] == few.data["bounds"]
    assert (2, True) == (wrong.code, "a flag was expected" in wrong.err)


def test_the_graph_is_written_and_the_story_evaluated(tmp_path: Path, bell: str) -> None:
    path = tmp_path / "worlds.mmd"
    called = call("explore", "--model", bell, "--graph", path, "--eval", "s.rung > 0")

    assert 1 == called.code
    assert "ALONG THE STORY OF it_is_quiet" in called.out
    assert f"wrote {path}: 3 worlds and 2 steps" in called.err
    assert "breaks it_is_quiet" in path.read_text()
    assert 2 == call("explore", "--model", bell, "--graph", tmp_path / "worlds.pdf").code


def test_an_estimate_keeps_to_its_schema(bell: str) -> None:
    called = call("explore", "--model", "2pc", "--estimate", "--json")
    data = called.data

    check_output(data)
    assert (0, True, 8832, 8832) == (called.code, data["exhaustive"], data["distinct"], data["high"])
    assert "ESTIMATE  no guess is needed" in call("explore", "--model", "2pc", "--estimate").out
    assert 2 == call("explore", "--model", bell, "--estimate", "--depth", "3").code
