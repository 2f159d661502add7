"""Objects that name a profile of some IDs say what these are."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from nomadspec.checkers.report.titles import list_ids_in
from tests.checkers.cli.calling import call
from tests.checkers.cli.schemas import check_output
from tests.tidy.source import ROOT

DRAIN = f"{ROOT}/docs/scenarios/nodes/drain.scenario"
LOST = f"{ROOT}/docs/scenarios/nodes/a-node-is-lost.scenario"
MENDED = ("--profile", "nomad-2.0 -02/S5")
UNCHECKED = ("--model", "core", "--scope", "unchecked")


def list_profiles(data: object) -> Iterator[str]:
    """List the profiles that an object names, however deep."""
    if isinstance(data, dict):
        if isinstance(data.get("profile"), str):
            yield data["profile"]
        for value in data.values():
            yield from list_profiles(value)
    elif isinstance(data, list):
        for value in data:
            yield from list_profiles(value)


CALLS = {
    "models": (("models", "core"), ["X-01", "X-02"]),
    "explore": (("explore", *UNCHECKED), ["X-01"]),
    "estimate": (("explore", *UNCHECKED, "--estimate", "--time", "1"), ["X-01"]),
    "simulate": (("simulate", *UNCHECKED, "--seed", "1", "--walks", "2"), ["X-01"]),
    "steps": (("steps", *UNCHECKED), ["X-01"]),
    "prove": (("prove", "managers_agree", "--model", "2pc", "--scope", "hasty", "--bmc", "0"), ["X-03"]),
    "scenario": (("scenario", "run", DRAIN, *MENDED), ["02/S5"]),
    "scenarios": (("scenario", "run", DRAIN, LOST, *MENDED), ["02/S5"]),
    "judge": (("scenario", "judge", DRAIN, *MENDED), ["02/S5"]),
    "search": (("scenario", "search", "--seed", "1", "--acts", "10", *MENDED), ["02/S5"]),
}


@pytest.mark.parametrize("name", CALLS)
def test_each_id_of_a_profile_has_its_title(name: str) -> None:
    words, ids = CALLS[name]
    data = call(*words, "--json").data

    check_output(data)
    assert ids == sorted(data["titles"])
    assert ids == list_ids_in("\n".join(list_profiles(data)))


def test_a_story_has_the_titles_of_its_profile(tmp_path: Path) -> None:
    call("explore", *UNCHECKED, "--story-out", tmp_path / "story.json")

    assert ["X-01"] == list(call("story", tmp_path / "story.json", "--json").data["titles"])
