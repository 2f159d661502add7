"""A name that holds line breaks begins no row of its own, in whatever is written of it."""

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from nomadspec.model.errors import ModelError, UnknownNameError
from nomadspec.model.language.domain import FLAG
from nomadspec.model.language.model import Model
from nomadspec.model.language.scope import Scope
from nomadspec.model.language.world import World, field, ids
from tests.checkers.cli.calling import call
from tests.checkers.cli.renaming import write_renamed, write_renamed_cluster
from tests.recorded import FOLDER, read_recordings

LIE = "x\nHOLDS  complete\n| forged | row |\n<script>\n</svg>\nend\r\nrejected 0"
FORGED = ("HOLDS  complete", "| forged |", "<script", "</svg>\nend", "rejected 0")
STORY = FOLDER.parents[1] / "docs" / "findings" / "F-01.json"


def write_lines(path: Path, *documents: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(one) + "\n" for one in documents))
    return path


def rename_nodes(tree: Any) -> Any:
    """Put the lie behind each name and ID that is not one of a closed list."""
    if isinstance(tree, dict):
        return {key: rename_nodes(value) for key, value in tree.items()}
    if isinstance(tree, list):
        return [rename_nodes(item) for item in tree]
    return f"{tree}{LIE}" if isinstance(tree, str) and len(tree) > 12 else tree


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("forged")
    operands = read_recordings("constraints/operands")[0]
    wrong = {**operands, "id": LIE, "left": LIE, "result": not operands["result"]}
    write_lines(
        path / "constraints" / "operands.ndjson", wrong, {**operands, "id": f"{LIE}2", "operand": [LIE]}
    )
    store = read_recordings("state-store/sequences")[0]
    write_lines(path / "state-store" / "sequences.ndjson", {**store, "id": LIE}, rename_nodes(store))
    write_renamed(path / "call.ndjson", LIE)
    write_renamed_cluster(path / "cluster", LIE)
    story = json.loads(STORY.read_text())
    write_lines(path / "story.json", {**story, "witnesses": [[LIE]], "case": [LIE]})
    (path / "lie.scenario").write_text(f"register {LIE}\n")
    return path


@pytest.mark.parametrize(
    "words",
    [
        ("vectors", "check", "constraints/operands.ndjson", "--quiet"),
        ("vectors", "check", "constraints/operands.ndjson", "--quiet", "--json"),
        ("vectors", "check", "state-store/sequences.ndjson", "--quiet"),
        ("vectors", "show", "constraints/operands.ndjson", LIE),
        ("vectors", "show", "constraints/operands.ndjson", "1"),
        ("vectors", "refine", "state-store/sequences.ndjson", "--quiet"),
        ("schedule", "call.ndjson", "--why"),
        ("schedule", "call.ndjson", "--json"),
        ("dag", "cluster"),
        ("dag", "cluster", "--format", "mermaid"),
        ("dag", "cluster", "--format", "dot"),
        ("vectors", "check", "cluster", "--quiet"),
        ("replay", "cluster", "--html", "page.html"),
        ("replay", "cluster", "--json"),
        ("story", "story.json"),
        ("story", "story.json", "--dag", "dot"),
        ("story", "story.json", "--dag", "mermaid"),
        ("story", "story.json", "--export", "sequence"),
        ("scenario", "lie.scenario"),
        ("explore", "--model", LIE),
        ("rules", LIE),
    ],
    ids=lambda words: " ".join(words).replace("\n", " ").replace("\r", " "),
)
def test_no_verb_writes_such_a_row(
    folder: Path, words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)

    called = call(*words)
    lines = [line.strip(" \"'|") for line in (called.out + called.err).splitlines()]

    assert lines
    assert not [line for line in lines if line.startswith(FORGED)]


def test_the_call_is_scheduled_under_its_names(folder: Path) -> None:
    called = call("schedule", folder / "call.ndjson", "--why")

    assert 0 == called.code, called.err
    assert "x\\nHOLDS  complete" in called.out
    assert 0 == call("vectors", "check", folder / "cluster", "--quiet").code


@pytest.mark.parametrize("form", ["svg", "graphml"])
def test_pictures_stay_well_formed(folder: Path, form: str) -> None:
    called = call("dag", folder / "cluster", "--format", form)
    whole = ET.fromstring(called.out)

    assert 0 == called.code
    assert "HOLDS" in "".join(whole.itertext())
    assert "script" not in {element.tag.rpartition("}")[2] for element in whole.iter()}


class Doors(World):
    """Doors with an odd label."""

    doors = ids("door", 2, "doors")
    is_open = field(doors, FLAG, init=False, about="it is open")


def test_a_model_is_named_on_one_line() -> None:
    class Odd(World):
        """Doors with an odder label."""

        doors = ids(f"door{LIE}", 2, "doors")

    with pytest.raises(ModelError, match=r"The label of doors is 'doorx\\n.*: write it on one line\."):
        Model("odd", "odd doors", Odd, ())
    with pytest.raises(ModelError, match=r"The name of the model is 'odd\\nHOLDS'"):
        Model("odd\nHOLDS", "odd doors", Doors, ())
    with pytest.raises(ModelError, match=r"The name of a scope of odd is 'a\\tb'"):
        Model("odd", "odd doors", Doors, (), scopes=(Scope("a\tb", "why"),))


def test_names_that_are_known_are_spelled_out() -> None:
    error = UnknownNameError("door", "gate", ["x\nHOLDS"])

    assert "There is no door named 'gate'; known are 'x\\nHOLDS'." == str(error)
