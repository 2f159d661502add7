"""Interrupted searches end as if they had never been interrupted, however they were stopped."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from nomadspec.checkers.explore import checkpoint_schedule as subject
from nomadspec.checkers.explore.checkpoint_schedule import Keeper, Kept
from nomadspec.checkers.explore.explorer import explore
from nomadspec.checkers.explore.search import Search
from nomadspec.checkers.explore.task import make_task
from nomadspec.checkers.usual_profile import bind_as_usual
from nomadspec.checkers.verdict import ExploreReport, Verdict
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.errors import InputError, UsageError
from nomadspec.model.language.bounded import BoundedModel
from tests.checkers.explore.models import CLUB, DIAL, LAMPS

BOTH: dict[str, object] = {"engine": "compiled", "workers": 2, "max_memory_mib": 1}

SCRIPT = """
import json
import sys
from nomadspec.checkers.explore import checkpoint_schedule, explore
from nomadspec.checkers.usual_profile import bind_as_usual
from nomadspec.invariants.catalogue import find_model

def tell(*given):
    print("begins to write", flush=True)
    write(*given)
    print("has written", flush=True)

checkpoint_schedule.SECONDS_BETWEEN, checkpoint_schedule.MOST_SHARE = 0, 0
write, checkpoint_schedule.write_checkpoint = checkpoint_schedule.write_checkpoint, tell
model, scope, reduction, path, options, resume = sys.argv[1:]
options = json.loads(options) | {"checkpoint": path, "resume": resume == "yes"}
report = explore(bind_as_usual(find_model(model), scope), reduction=reduction, **options)
print("digest", report.digest)
"""


def without_seconds(report: ExploreReport) -> ExploreReport:
    return replace(report, seconds=0.0, checkpoint=None)


def resume_until_done(bounded: BoundedModel, path: Path, reduction: str) -> ExploreReport:
    """Search by so few states at a time that it takes many resumptions."""
    states, engine = 50, "interpreted"  # when machine code takes over is a matter of time
    report = explore(bounded, checkpoint=path, max_states=states, reduction=reduction, engine=engine)
    while report.stopped_by == "states":
        assert str(path) == report.checkpoint
        states += states
        report = explore(
            bounded, checkpoint=path, resume=True, max_states=states, reduction=reduction, engine=engine
        )
    return report


@pytest.mark.parametrize(
    ("bounded", "reduction"),
    [
        pytest.param(
            find_model("2pc").at("small", profile="nomad-2.0"), "none", id="2pc", marks=pytest.mark.deep
        ),
        pytest.param(
            find_model("2pc").at("small", sizes={"rms": 3}, profile="nomad-2.0"), "none", id="2pc of three"
        ),
        pytest.param(
            find_model("2pc").at("small", sizes={"rms": 4}, profile="nomad-2.0"), "symmetry", id="2pc reduced"
        ),
        pytest.param(find_model("core").at("unchecked"), "none", id="violated", marks=pytest.mark.deep),
        pytest.param(find_model("core").at("unchecked"), "symmetry", id="violated, reduced"),
        pytest.param(CLUB.at("people"), "none", id="club"),
        pytest.param(LAMPS.at(sizes={"lamps": 6}), "none", id="promises"),
        pytest.param(DIAL.at(), "none", id="dial"),
    ],
)
def test_a_resumed_search_reports_the_same(bounded: BoundedModel, reduction: str, tmp_path: Path) -> None:
    expected = explore(bounded, reduction=reduction, engine="interpreted")

    report = resume_until_done(bounded, tmp_path / "search", reduction)

    assert without_seconds(expected) == without_seconds(report)
    assert [] == list(tmp_path.iterdir())


def kill_and_resume(
    model: str, scope: str, reduction: str, path: Path, signs: list[int], **options: Any
) -> str:
    """Start a search, kill it after each of some numbers of signs that it lives, and end it here at last.

    It gives a sign before and after each checkpoint, which it writes as often as it can.
    """
    arguments = [sys.executable, "-c", SCRIPT, model, scope, reduction, str(path), json.dumps(options)]
    resume = "no"
    for count in signs:
        with subprocess.Popen([*arguments, resume], stdout=subprocess.PIPE, text=True) as running:
            assert running.stdout is not None
            told = [running.stdout.readline() for _ in range(2 + count)]
            running.kill()
            told += running.stdout.readlines()
        if told[-1].startswith("digest"):
            return told[-1].split()[1]
        assert path.exists()
        resume = "yes"
    options |= {"checkpoint": path, "resume": True}
    return explore(bind_as_usual(find_model(model), scope), reduction=reduction, **options).digest


@pytest.mark.deep
@pytest.mark.parametrize("reduction", ["none", "symmetry"])
def test_a_killed_search_is_resumed_to_the_same_digest(reduction: str, tmp_path: Path) -> None:
    expected = explore(find_model("core").at("small", profile="nomad-2.0"), reduction=reduction).digest
    random = Random(reduction)

    signs = [random.randrange(15) for _ in range(3)]

    assert expected == kill_and_resume("core", "small", reduction, tmp_path / "search", signs)


# Killed once every day, with all that a search can have open; more often, and with less, by the deep tests.
@pytest.mark.parametrize(
    ("model", "options", "times"),
    [
        pytest.param("2pc", BOTH, 1, id="once"),
        pytest.param("core", BOTH, 3, id="processes and files", marks=pytest.mark.deep),
        pytest.param("core", {"engine": "compiled"}, 3, id="machine code", marks=pytest.mark.deep),
        pytest.param("core", {"engine": "compiled", "workers": 2}, 3, id="processes", marks=pytest.mark.deep),
        pytest.param(
            "core", {"engine": "compiled", "max_memory_mib": 1}, 3, id="files", marks=pytest.mark.deep
        ),
    ],
)
def test_a_killed_search_is_resumed_however_it_is_run(
    model: str, options: dict[str, object], times: int, tmp_path: Path
) -> None:
    expected = explore(bind_as_usual(find_model(model), "small"), engine="compiled").digest
    random = Random(repr(options))

    signs = [random.randrange(30 // times) for _ in range(times)]

    assert expected == kill_and_resume(model, "small", "none", tmp_path / "search", signs, **options)
    assert [] == list(tmp_path.iterdir())


@pytest.mark.deep
@pytest.mark.parametrize("seed", range(5))
def test_a_search_killed_many_times_is_resumed_to_the_same_digest(seed: int, tmp_path: Path) -> None:
    expected = explore(find_model("core").at("flip", profile="nomad-2.0"), reduction="symmetry").digest
    random = Random(seed)

    signs = [random.randrange(10) for _ in range(8)]

    assert expected == kill_and_resume("core", "flip", "symmetry", tmp_path / "search", signs)


def test_a_new_search_does_not_write_over_another(tmp_path: Path) -> None:
    path = tmp_path / "search"
    kept = explore(
        find_model("2pc").at("small", sizes={"rms": 3}, profile="nomad-2.0"), checkpoint=path, max_states=100
    )
    before = path.read_bytes()

    for bounded in (find_model("2pc").at("small", sizes={"rms": 3}, profile="nomad-2.0"), DIAL.at()):
        with pytest.raises(UsageError, match=f"holds {kept.distinct} worlds of a search of 2pc"):
            explore(bounded, checkpoint=path)

    assert before == path.read_bytes()
    assert [path] == list(tmp_path.iterdir())


def test_a_search_for_all_violations_is_not_thrown_away_by_one_for_the_first(tmp_path: Path) -> None:
    path, bounded = tmp_path / "search", find_model("2pc").at("hasty")
    cut = explore(bounded, checkpoint=path, max_states=400, stop_at_first=False)

    with pytest.raises(InputError, match="--keep-going"):
        explore(bounded, checkpoint=path, resume=True)

    assert cut.findings
    resumed = explore(bounded, checkpoint=path, resume=True, stop_at_first=False)
    assert explore(bounded, stop_at_first=False).digest == resumed.digest


@pytest.mark.parametrize("resume", [True, False])
def test_two_searches_do_not_write_one_file(tmp_path: Path, resume: bool) -> None:
    path, bounded = tmp_path / "search", find_model("2pc").at("small", sizes={"rms": 3}, profile="nomad-2.0")
    explore(bounded, checkpoint=path, max_states=100)
    refused = []

    class Rival:
        """Somebody who begins another search with the same file."""

        def update(self, _text: str, _done: int, _expected: int | None = None) -> None:
            with pytest.raises(UsageError, match="Another search writes the checkpoint") as caught:
                explore(bounded, checkpoint=path, resume=resume)
            refused.append(str(caught.value))

    report = explore(bounded, checkpoint=path, resume=True, progress=Rival())

    assert refused
    assert without_seconds(explore(bounded)) == without_seconds(report)
    assert [] == list(tmp_path.iterdir())


def test_an_interrupted_search_names_its_checkpoint(tmp_path: Path) -> None:
    path = tmp_path / "search"

    report = explore(find_model("core").at("small", profile="nomad-2.0"), checkpoint=path, max_seconds=1e-9)

    assert (Verdict.INCONCLUSIVE, str(path)) == (report.verdict, report.checkpoint)
    assert path.exists()


def test_to_resume_needs_a_file(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="name the checkpoint"):
        explore(DIAL.at(), resume=True)
    with pytest.raises(InputError, match="No such file"):
        explore(DIAL.at(), resume=True, checkpoint=tmp_path / "gone")


def test_a_place_that_cannot_be_written_is_known_at_once(tmp_path: Path) -> None:
    (tmp_path / "notes").write_text("precious")
    with pytest.raises(UsageError, match="cannot be written"):
        explore(DIAL.at(), checkpoint=tmp_path / "notes" / "search")
    with pytest.raises(UsageError, match="is no checkpoint"):
        explore(DIAL.at(), checkpoint=tmp_path / "notes")
    assert "precious" == (tmp_path / "notes").read_text()


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_a_search_that_fails_before_its_checkpoint_is_there_leaves_no_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr("nomadspec.checkers.atomic_files.open_new", fail)
    with pytest.raises((UsageError, KeyboardInterrupt)):
        explore(DIAL.at(), checkpoint=tmp_path / "new" / "newer" / "search")

    assert [] == list(tmp_path.iterdir())


def test_a_search_that_is_over_leaves_only_folders_that_were_there_or_are_used(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert explore(DIAL.at(), checkpoint=tmp_path / "empty" / "search").checkpoint is None
    assert explore(DIAL.at(), checkpoint=tmp_path / "new" / "newer" / "search").checkpoint is None
    explore(
        find_model("2pc").at("small", profile="nomad-2.0"),
        checkpoint=tmp_path / "used" / "search",
        max_states=9,
    )

    assert ["empty", "used"] == sorted(one.name for one in tmp_path.iterdir())
    assert ["search"] == [one.name for one in (tmp_path / "used").iterdir()]


def test_a_full_disk_later_on_leaves_the_checkpoint_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    task = make_task(CLUB.at("people"), None, "none", stops_at_first=False)
    search = Search(task)
    keeper = Keeper(tmp_path / "search", task)
    keeper.begin(search.explored)
    search.expand(10, 1000)

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(subject, "write_checkpoint", fail)
    kept = keeper.keep_last(search.explored)
    (tmp_path / "search").rename(tmp_path / "elsewhere")
    gone = keeper.keep_last(search.explored)

    assert str(tmp_path / "search") == kept.path
    assert "it could not be written at the end (No space left on device)" in str(kept.problem)
    assert str(kept.problem).endswith("holds what was found before: 1 world")
    assert gone.path is None
    assert "is gone" in str(gone.problem)
    assert 0 == Keeper(tmp_path / "elsewhere", task).load().expanded


def test_the_file_stays_until_there_is_a_report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "search"

    def fail(*_: object) -> ExploreReport:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("nomadspec.checkers.explore.explorer.make_report", fail)
        with pytest.raises(KeyboardInterrupt):
            explore(DIAL.at(), checkpoint=path)

    resumed = explore(DIAL.at(), checkpoint=path, resume=True)
    assert without_seconds(explore(DIAL.at())) == without_seconds(resumed)
    assert not path.exists()


def test_checkpoints_are_written_now_and_then(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    written: list[float] = []

    def write(*_: object) -> None:
        nonlocal now
        written.append(now)
        now += 2

    monkeypatch.setattr(subject, "write_checkpoint", write)
    monkeypatch.setattr("nomadspec.checkers.explore.checkpoint_schedule.time.monotonic", lambda: now)
    task = make_task(CLUB.at("people"), None, "none", stops_at_first=False)
    keeper = Keeper(tmp_path / "search", task)

    for _ in range(100):
        now += 1
        keeper.keep_now_and_then(Search(task).explored)

    # first after 30 seconds, then after 20 times what writing took
    assert [30, 72] == written


def test_without_a_file_nothing_is_kept(tmp_path: Path) -> None:
    task = make_task(CLUB.at("people"), None, "none", stops_at_first=False)
    keeper = Keeper(None, task)

    keeper.begin(Search(task).explored)
    keeper.keep_now_and_then(Search(task).explored)

    assert Kept() == keeper.keep_last(Search(task).explored)
    assert [] == list(tmp_path.iterdir())


def test_a_link_and_the_file_that_it_names_are_one_search(tmp_path: Path) -> None:
    task = make_task(DIAL.at(), None, "none", stops_at_first=True)
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere" / "search")
    with Keeper(tmp_path / "link", task) as keeper:
        keeper.begin(Search(task).explored)
        with pytest.raises(UsageError, match="Another search writes the checkpoint"):
            Keeper(tmp_path / "elsewhere" / "search", task).__enter__()

    assert (tmp_path / "link").is_symlink()
    assert 0 == Keeper(tmp_path / "elsewhere" / "search", task).load().expanded
    Keeper(tmp_path / "link", task).forget()
    assert [] == list((tmp_path / "elsewhere").iterdir())
