"""What is measured is what the manifest says, and can be written there."""

import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from nomadspec.checkers import measure as checkers_measure
from nomadspec.checkers.manifest import MANIFEST_PATH, Effort, list_published, load_manifest
from nomadspec.checkers.measure import (
    list_profiles,
    main,
    measure,
    measure_again,
    replace_entries,
    write_entry,
)
from nomadspec.invariants.catalogue import find_model
from tests.checkers.findings import KNOWN, make_known

TWO_PHASE = find_model("2pc")


def test_a_measured_scope_is_what_is_published() -> None:
    measured = {entry.title: entry for entry, _ in measure(TWO_PHASE, [TWO_PHASE.find_scope("small")])}
    published = {
        entry.title: entry for entry in list_published() if (entry.model, entry.scope) == ("2pc", "small")
    }

    assert published == {
        title: replace(entry, seconds=published[title].seconds, effort=published[title].effort)
        for title, entry in measured.items()
    }


def test_what_nothing_explains_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    hasty = [TWO_PHASE.find_scope("hasty")]
    unknown = [problems for _, problems in measure(TWO_PHASE, hasty)]
    make_known(
        monkeypatch,
        KNOWN,
        replace(KNOWN, id="F-98", shown=replace(KNOWN.shown, violates="commit_counts_everyone")),
    )
    (entry, explained), *_ = measure(TWO_PHASE, hasty)

    assert "managers_agree is violated after 5 steps, which is not known" in unknown[0]
    assert () == explained
    assert ("F-99",) == entry.known  # its cure ends the other as well


def test_a_search_that_was_cut_is_not_published(capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["2pc", "full", "--seconds", "1e-9", "--write"])

    assert 1 == code
    assert "the search is not complete (time)" in capsys.readouterr().err


def test_the_profile_in_which_only_a_finding_is_cured_is_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    make_known(monkeypatch, replace(KNOWN, shown=replace(KNOWN.shown, scope="small")))

    assert ("nomad-2.0", "intended", "nomad-2.0 -X-03") == list_profiles(
        TWO_PHASE, TWO_PHASE.find_scope("small")
    )
    assert ("X-03",) == list_profiles(TWO_PHASE, TWO_PHASE.find_scope("hasty"))


def test_entries_are_put_in_the_place_of_the_old_ones(tmp_path: Path) -> None:
    path = tmp_path / "manifest.toml"
    shutil.copy(MANIFEST_PATH, path)
    before = load_manifest(path)
    core = [entry for entry in before if (entry.model, entry.scope) == ("core", "small")]
    new = [replace(entry, depth=99) for entry in core]

    replace_entries(path, new)

    assert {*new} == {*load_manifest(path)} - {*before}
    assert path.read_text().startswith(MANIFEST_PATH.read_text().split("[[scope]]", maxsplit=1)[0])
    assert len(before) == len(load_manifest(path))


def test_an_entry_is_written_as_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "manifest.toml"
    entries = list_published()
    path.write_text("\n".join(map(write_entry, entries)))

    assert entries == load_manifest(path)


def test_what_is_published_is_repeated_and_only_its_time_is_changed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = tmp_path / "manifest.toml"
    slow = re.sub(r"(?m)^seconds = .*$", "seconds = 7777.5", MANIFEST_PATH.read_text())
    path.write_text(slow)
    monkeypatch.setattr(checkers_measure, "MANIFEST_PATH", path)

    assert 0 == main(["2pc", "small", "hasty", "--again", "--write"])
    repeated = [entry for entry in load_manifest(path) if entry.seconds != 7777.5]
    assert {("2pc", "small"), ("2pc", "hasty")} == {(entry.model, entry.scope) for entry in repeated}
    assert slow == re.sub(r"(?m)^seconds = .*$", "seconds = 7777.5", path.read_text())


def test_a_search_that_finds_something_else_is_not_written(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (entry, *_) = [one for one in list_published() if (one.model, one.scope) == ("2pc", "small")]
    wrong = replace(entry, depth=99, distinct=7)
    monkeypatch.setattr(checkers_measure, "find_published", lambda *_names: (wrong,))

    assert 1 == main(["2pc", "small", "--again", "--write"])
    assert "the model has changed: distinct is 8,832, not 7, depth is" in capsys.readouterr().err


def test_a_search_that_takes_longer_than_its_effort_allows_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkers_measure, "_MOST_SECONDS", {Effort.FAST: -1.0})
    entry = next(one for one in list_published() if (one.model, one.scope) == ("2pc", "hasty"))
    ((_, problems),) = measure_again([entry])

    assert [f"and what {entry.effort} runs -1 s at most"] == [one.split("s, ")[1] for one in problems]


def test_an_unknown_model_or_scope_is_refused() -> None:
    assert 2 == main(["2pc", "smal"])
    with pytest.raises(SystemExit, match="2"):
        main(["3pc"])


def test_a_finding_explains_no_other_property(monkeypatch: pytest.MonkeyPatch) -> None:
    make_known(monkeypatch)
    (entry, problems), *_ = measure(TWO_PHASE, [TWO_PHASE.find_scope("hasty")])

    assert ("F-99",) == entry.known
    assert all("managers_agree" not in problem for problem in problems)
