"""Stories go to files and come back, and a file that does not fit is refused with its place."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from nomadspec.checkers.report.loading import load_model
from nomadspec.checkers.report.stories import data_of, read_story, write_story
from nomadspec.model.errors import InputError
from nomadspec.model.language.claim import tell
from tests.checkers.shop import SHOP, hasty, write_hasty, write_shop


def test_a_story_comes_back_as_it_went(tmp_path: Path) -> None:
    story, bounded = hasty()
    again, bounded_again = read_story(write_hasty(tmp_path))

    assert story == again
    assert bounded.describe(bounded.initial[0]) == bounded_again.describe(bounded_again.initial[0])


def test_the_file_holds_the_first_world_and_the_steps() -> None:
    data: Any = data_of(*hasty(), "2pc")

    assert "nomadspec/story/1" == data["schema"]
    assert "working" == data["first"]["state[rm1]"]
    assert {"rule": "Prepare", "arguments": {"rm": "rm1"}} == data["steps"][0]
    assert [["rm2", "rm1"]] == data["witnesses"]


def test_the_story_of_a_users_model_finds_its_file(tmp_path: Path) -> None:
    reference = f"{write_shop(tmp_path)}:SHOP"
    path = tmp_path / "s.json"
    path.write_text(
        json.dumps(
            {
                "schema": "nomadspec/story/1",
                "model": reference,
                "scope": "usual",
                "sizes": {"patience": 2},
                "profile": "intended",
                "first": {"waiting": 0, "asleep": False},
                "steps": [{"rule": "Arrive", "arguments": {}}],
            }
        )
    )
    story, bounded = read_story(path)

    assert "shop" == bounded.model.name
    assert reference == story.model
    write_story(path, story, bounded, story.model)
    assert story.steps == read_story(path)[0].steps


Change = Callable[[dict[str, Any]], object]


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda d: d.update(schema="x"), "schema should be 'nomadspec/story/1', not 'x'"),
        (lambda d: d.pop("schema"), "schema should be 'nomadspec/story/1', not none"),
        (lambda d: d.pop("steps"), "at $: the field 'steps' is missing"),
        (lambda d: d.update(extra=1), "'extra' is not a field here; known are schema,"),
        (lambda d: d.update(sizes=[]), "at $.sizes: an object {...} was expected, not []"),
        (lambda d: d["sizes"].update(rms="5"), "at $.sizes.rms: a whole number was expected"),
        (lambda d: d["steps"][1].pop("rule"), "at $.steps[1]: the field 'rule' is missing"),
        (lambda d: d.update(model="cor"), "at $.model: there is no model named 'cor'; did you mean core?"),
        (
            lambda d: d.update(model="gone.py:X"),
            "at $.model: gone.py: the file cannot be read (No such file or directory); it was looked for in",
        ),
        (lambda d: d.update(scope="hast"), "at $.scope: there is no scope of 2pc named 'hast'; did you"),
        (lambda d: d.update(sizes={"nodes": 1}), "at $.sizes.nodes: there is no size of 2pc named"),
        (lambda d: d.update(profile="nomad-9"), "at $.profile: there is no profile named 'nomad-9'"),
        (lambda d: d.update(property="managers_agre"), "did you mean managers_agree"),
        (
            lambda d: d["steps"][0].update(rule="Prepar"),
            "at $.steps[0].rule: there is no rule of 2pc named 'Prepar'; did you mean Prepare",
        ),
        (
            lambda d: d["steps"][0].update(arguments={"rm": "rm9"}),
            "at $.steps[0].arguments.rm: there is no value named 'rm9'; did you mean rm3 or rm2 or rm1",
        ),
        (
            lambda d: d["steps"][0].update(arguments={}),
            "at $.steps[0].arguments: The rule Prepare takes rm, but was given none",
        ),
        (
            lambda d: d["first"].update(decision="commit"),
            'at $.first: decision is "commit", but the model begins with "none_yet"',
        ),
        (lambda d: d.update(sizes={}), "at $.sizes: the field 'rms' is missing"),
        (lambda d: d.update(sizes={"rms": 99999}), "at $.sizes: A world of this size has more"),
        (lambda d: d.update(sizes={"rms": -1}), "at $.sizes.rms: a number of at least 0"),
        (
            lambda d: d["first"].update({"state[rm9]": "working"}),
            "at $.first: there is no rm9 for state[rm9]; did you mean rm3 or rm2 or rm1?",
        ),
        (lambda d: d["first"].update(flavour=1), "at $.first: there is no flavour; known are"),
        (lambda d: d["first"].pop("decision"), "decision is absent, but the model"),
        (
            lambda d: d["first"].update(commit_sent=0),
            "commit_sent is 0, but the model begins with",
        ),
    ],
)
def test_what_does_not_fit_is_refused(tmp_path: Path, change: Change, sentence: str) -> None:
    path = write_hasty(tmp_path)
    data = json.loads(path.read_text())
    change(data)
    path.write_text(json.dumps(data))

    with pytest.raises(InputError) as caught:
        read_story(path)
    assert sentence in str(caught.value)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize(
    ("before", "after", "sentence"),
    [
        ('"rms": ', '"rms": 1, "rms": ', "at $.sizes: the member 'rms' is there twice; write it once."),
        (
            '"rule": ',
            '"rule": "X", "rule": ',
            "at $.steps[0]: the member 'rule' is there twice; write it once.",
        ),
        (
            '"seed": null',
            '"seed": NaN',
            "at $.seed: NaN is no number of JSON; write a number such as 12 or 0.5.",
        ),
        ('"loop": null', '"loop": 1e999', "at $.loop: the number 1e999 is too large; write a smaller one."),
    ],
)
def test_what_has_two_meanings_or_no_value_is_refused(
    tmp_path: Path, before: str, after: str, sentence: str
) -> None:
    path = write_hasty(tmp_path)
    text = path.read_text()
    assert before in text
    path.write_text(text.replace(before, after, 1))

    with pytest.raises(InputError) as caught:
        read_story(path)
    assert f"{path}, {sentence}" == str(caught.value)


OPENED = (
    SHOP.replace(
        "def doze",
        'def open_with(s, t, crowd):\n    """So many wait when it opens."""\n'
        '    t.require(crowd < 2)\n    t.waiting = crowd\n\n\n@rule("SHOP-3")\ndef doze',
        1,
    )
    .replace('@rule("SHOP-3")\ndef open', '@rule("SHOP-3", crowd=upto(Shop.patience))\ndef open', 1)
    .replace("    scopes=", "    starts=(open_with,),\n    scopes=")
)


def test_a_start_that_is_chosen_comes_back(tmp_path: Path) -> None:
    reference = f"{write_shop(tmp_path, text=OPENED)}:SHOP"
    bounded = load_model(reference).at()
    start, cells = bounded.starts[1]
    path = tmp_path / "s.json"
    write_story(path, tell(bounded, cells, []), bounded, reference)

    story, _ = read_story(path)

    assert start is not None
    assert "OpenWith(1)" == str(story.start)


def test_a_start_that_is_not_possible_is_refused(tmp_path: Path) -> None:
    reference = f"{write_shop(tmp_path, text=OPENED)}:SHOP"
    bounded = load_model(reference).at()
    path = tmp_path / "s.json"
    write_story(path, tell(bounded, bounded.starts[1][1], []), bounded, reference)
    path.write_text(path.read_text().replace('"crowd": 1', '"crowd": 2'))

    with pytest.raises(InputError, match=r"at \$.start: there is no initial world named 'OpenWith'"):
        read_story(path)
