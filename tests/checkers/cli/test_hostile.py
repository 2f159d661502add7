"""IDs, names and paths that a terminal, a browser or an editor would obey reach none of them."""

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from nomadspec.checkers.oracle.reading import read_lines
from tests.checkers.cli.calling import Called, call
from tests.checkers.cli.renaming import write_renamed
from tests.recorded import FOLDER, read_recordings

HOSTILE = (
    "\x1b[2K\raccepted\x1b[8m\x1b[32m\u202e\u2066\x9b1m\x85\n| --> \"<script>&;#'`$(x)%%{init}%%\x00\x7f"
)
STORY = FOLDER.parents[1] / "docs" / "findings" / "F-01.json"


def is_harmless(text: str) -> bool:
    return text.replace("\n", "").replace("\t", "").isprintable()  # DOT is written with tabs


def write_lines(path: Path, *documents: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(one) + "\n" for one in documents))
    return path


def poison(tree: Any) -> Any:
    """Put the hostile text behind every text that is not a member of a closed list."""
    if isinstance(tree, dict):
        return {key: poison(value) for key, value in tree.items()}
    if isinstance(tree, list):
        return [poison(item) for item in tree]
    return tree + HOSTILE if isinstance(tree, str) and len(tree) > 12 else tree


@pytest.fixture(scope="module")
def recordings(tmp_path_factory: pytest.TempPathFactory) -> Path:
    tmp_path = tmp_path_factory.mktemp("recordings")
    operands = read_recordings("constraints/operands")[0]
    wrong = {**operands, "result": not operands["result"], "left": HOSTILE}
    write_lines(
        tmp_path / "constraints/operands.ndjson",
        {**operands, "id": HOSTILE},
        {**wrong, "id": HOSTILE + "2"},
        {**operands, "id": "x", HOSTILE: 1, "operand": [HOSTILE]},
    )
    store = read_recordings("state-store/sequences")[0]
    write_lines(
        tmp_path / "state-store/sequences.ndjson",
        {**store, "id": HOSTILE},
        poison({**store, "id": "y"}),
    )
    return tmp_path


@pytest.mark.parametrize("color", ["always", "never"])
@pytest.mark.parametrize("form", [(), ("--json",)])
@pytest.mark.parametrize(
    "words",
    [
        ("vectors", "check", "constraints/operands.ndjson"),
        ("vectors", "check", "state-store/sequences.ndjson"),
        ("vectors", "refine", "state-store/sequences.ndjson"),
        ("vectors", "show", "constraints/operands.ndjson", HOSTILE),
        ("vectors", "show", "constraints/operands.ndjson", HOSTILE + "2", "--all"),
        ("vectors", "show", "constraints/operands.ndjson", HOSTILE + "3"),
        ("vectors", "show", HOSTILE.replace("\x00", ""), "x"),
        ("vectors", "check", "constraints/operands.ndjson", "--family", HOSTILE),
        ("schedule", "constraints/operands.ndjson"),
        ("story", "constraints/operands.ndjson"),
        ("rules", HOSTILE),
        ("properties", HOSTILE),
        ("models", HOSTILE),
        ("explore", "--model", HOSTILE.replace("\x00", "")),
        ("diagram", HOSTILE),
    ],
)
def test_no_verb_lets_it_through(
    recordings: Path,
    words: tuple[str, ...],
    form: tuple[str, ...],
    color: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(recordings)

    quiet = ("--quiet",) if words[0] == "vectors" else ()
    called = call(*words, *form, *quiet, "--color", color, is_terminal=True)

    assert called.out + called.err
    assert_harmless(called, has_color=color == "always")


def assert_harmless(called: Called, *, has_color: bool) -> None:
    for text in (called.out, called.err):
        plain = text
        if has_color:
            for code in ("0", "1", "2", "31", "32", "33"):
                plain = plain.replace(f"\x1b[{code}m", "")
        assert is_harmless(plain)
    assert "\x1b[32m\\u202e" not in called.out


@pytest.mark.parametrize("words", [("--why",), ("--json",)])
def test_a_scheduled_call_shows_it(tmp_path: Path, words: tuple[str, ...]) -> None:
    path, page = write_renamed(tmp_path / "call.ndjson", HOSTILE), tmp_path / "page.html"
    called = call("schedule", path, *words, "--html", page)

    assert 0 == called.code, called.err
    assert_harmless(called, has_color=False)
    assert "accepted" in called.out  # what was put in is shown, as text
    assert is_harmless(page.read_text())
    assert "accepted" in page.read_text()
    assert '"<script>' not in page.read_text()


def test_a_scheduled_call_that_is_none_is_told_harmlessly(tmp_path: Path) -> None:
    path = next((FOLDER / "scheduler").glob("*.ndjson.xz"))
    damaged = write_lines(tmp_path / "call.ndjson", poison(next(read_lines(path)).document))
    called = call("schedule", damaged, "--why")

    assert 3 == called.code
    assert_harmless(called, has_color=False)
    assert "accepted" in called.err


@pytest.mark.parametrize("form", ["mermaid", "dot", "graphml", "svg"])
def test_pictures_of_stories_show_it(tmp_path: Path, form: str) -> None:
    story = json.loads(STORY.read_text())
    path = tmp_path / "story.json"
    path.write_text(json.dumps({**story, "case": [HOSTILE], "witnesses": [[HOSTILE]]}))

    called = call("story", path, "--dag", form)

    assert_harmless(called, has_color=False)
    assert called.out or "accepted" in called.err
    if form in {"svg", "graphml"} and called.out:
        assert ET.fromstring(called.out) is not None


def test_a_story_shows_it(tmp_path: Path) -> None:
    story = json.loads(STORY.read_text())
    path = tmp_path / "story.json"
    path.write_text(json.dumps({**story, "case": [HOSTILE], "witnesses": [[HOSTILE]]}))

    for words in ((), ("--json",), ("--export", "sequence"), ("--export", "itf")):
        called = call("story", path, *words)

        assert_harmless(called, has_color=False)
        assert called.out or "accepted" in called.err  # a story, or what is wrong with it
