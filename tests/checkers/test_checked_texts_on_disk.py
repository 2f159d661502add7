"""Notes on disk of what was looked at: nobody else can write one, and each ends when a file is changed."""

import subprocess
import sys
from pathlib import Path

import pytest

from nomadspec.checkers import checked_texts_on_disk
from nomadspec.checkers.checked_texts_on_disk import CheckedTextsOnDisk, list_files_of_texts

LISTING = """
import sys
from nomadspec.invariants.catalogue import find_model, list_model_names

for name in list_model_names(with_classics=True):
    find_model(name)
for module in list(sys.modules.values()):
    if module.__name__.startswith("nomadspec.") and getattr(module, "__file__", None):
        print(module.__file__)
"""


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOMADSPEC_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("NOMADSPEC_KEY", str(tmp_path / "key"))


def test_what_was_noted_is_known_to_the_next_process() -> None:
    CheckedTextsOnDisk().add("core, small")

    assert CheckedTextsOnDisk().has("core, small")
    assert not CheckedTextsOnDisk().has("core, large")


def test_a_note_of_another_state_of_the_files_counts_for_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    CheckedTextsOnDisk().add("core, small")
    monkeypatch.setattr(checked_texts_on_disk, "compute_digest_of_texts", lambda: "another")

    assert not CheckedTextsOnDisk().has("core, small")


def test_the_digest_is_of_what_the_files_hold(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "rules.py"
    monkeypatch.setattr(checked_texts_on_disk, "list_files_of_texts", lambda: [file])
    digests = []
    for content in ("x = 1", "x = 2", "x = 1"):
        file.write_text(content)
        digests.append(checked_texts_on_disk.compute_digest_of_texts.__wrapped__())

    assert digests[0] == digests[2] != digests[1]


def test_a_note_that_somebody_else_wrote_counts_for_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    CheckedTextsOnDisk().add("core, small")
    (note,) = (tmp_path / "cache").glob("looked-*")
    monkeypatch.setenv("NOMADSPEC_KEY", str(tmp_path / "key of another"))
    CheckedTextsOnDisk().add("core, large")

    assert not CheckedTextsOnDisk().has("core, small")
    note.write_bytes(b"")
    monkeypatch.setenv("NOMADSPEC_KEY", str(tmp_path / "key"))
    assert not CheckedTextsOnDisk().has("core, small")


def test_without_a_place_for_notes_nothing_is_known(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("NOMADSPEC_CACHE", str(tmp_path / "file" / "cache"))
    CheckedTextsOnDisk().add("core, small")

    assert not CheckedTextsOnDisk().has("core, small")


def test_each_file_that_a_model_of_the_package_imports_counts() -> None:
    done = subprocess.run([sys.executable, "-c", LISTING], capture_output=True, text=True, check=True)

    files = {Path(line) for line in done.stdout.split("\n") if line}
    assert len(files) > 100
    assert files <= set(list_files_of_texts())


COMMAND = ("-m", "nomadspec", "explore", "--model", "die-hard")
NOTEBOOK = ("-c", "import nomadspec; nomadspec.explore('die-hard', profile='nomad-2.0')")


@pytest.mark.parametrize(
    "calls",
    [
        pytest.param([NOTEBOOK, COMMAND], id="one after the other"),
        pytest.param([COMMAND, COMMAND], id="commands", marks=pytest.mark.deep),
        pytest.param([NOTEBOOK, NOTEBOOK], id="notebooks", marks=pytest.mark.deep),
    ],
)
def test_commands_and_notebooks_note_what_they_have_looked_at(
    calls: list[tuple[str, ...]], tmp_path: Path
) -> None:
    for words in calls:
        subprocess.run([sys.executable, *words], capture_output=True, check=False)
        assert len(list((tmp_path / "cache").glob("looked-*"))) == 1
