"""The list of verbs."""

from nomadspec.checkers.cli.verbs import SECTIONS, list_verbs
from tests.checkers.cli.calling import call
from tests.checkers.cli.schemas import FOLDER, load_schema


def test_no_verb_is_listed_twice() -> None:
    names = [verb.name for verb in list_verbs()]

    assert sorted(set(names)) == sorted(names)
    assert sum(len(verbs) for _, verbs in SECTIONS) == len(names)


def test_every_verb_has_a_schema() -> None:
    assert {verb.name for verb in list_verbs()} <= {path.stem for path in FOLDER.glob("*.json")}


def test_every_schema_says_what_prints_it() -> None:
    for path in FOLDER.glob("*.json"):
        schema = load_schema(path.name)
        assert f"nomadspec/{path.stem}/1" == schema["properties"]["schema"]["const"]
        assert schema["description"]


def test_every_verb_says_in_its_help_what_the_overview_says_of_it() -> None:
    for verb in list_verbs():
        assert 0 == call(verb.name, "--help").code
