"""The line that replays a failure, as a shell would run it."""

import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from nomadspec.checkers.stateful import machine_of
from nomadspec.checkers.stateful.replaying import write_line
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.language.model import Model
from tests.checkers.simulate.models import LEVELS, Lamp, turn_up
from tests.checkers.stateful.test_machine import Driven

HASTY = ("Prepare(rm1)", "CountPrepared(rm1)", "DecideCommit()", "ChooseAbort(rm2)", "ObeyCommit(rm1)")


def replay(line: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run the line somewhere."""
    assignments, words = [], shlex.split(line.removeprefix("again: "))
    while "=" in words[0]:
        assignments.append(words.pop(0))
    command = ["env", *assignments, sys.executable, *words[1:]]
    return subprocess.run(command, cwd=folder, check=False, capture_output=True, text=True)


def test_a_model_of_the_package_is_made_again(tmp_path: Path) -> None:
    machine = machine_of(find_model("2pc").at("hasty", sizes={"rms": 2}))
    done = replay(write_line(machine, HASTY, "", "managers_agree"), tmp_path)

    assert 1 == done.returncode
    assert "ViolationError: managers_agree does not hold" in done.stderr
    assert 'sizes={"rms": 2}' in write_line(machine, HASTY, "", None)


@pytest.mark.parametrize(("machine", "start"), [(Driven, ""), (machine_of(LEVELS.at()), "Begin(lamp1)")])
def test_what_has_a_name_in_a_module_is_imported(machine: type, start: str) -> None:
    line = write_line(machine, ["TurnUp()"], start, None)

    assert 'replay("TurnUp()"' in line
    assert ("import Driven" if machine is Driven else "import LEVELS") in line
    assert ("start=" in line) is bool(start)


def test_a_module_elsewhere_is_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)

    assert write_line(Driven, [], "", None).startswith("again: PYTHONPATH=/")


def test_what_has_no_name_has_no_line() -> None:
    nameless = Model("nameless", "nobody keeps it", Lamp, rules=(turn_up,))

    assert "name the machine or its model" in write_line(machine_of(nameless.at()), [], "", None)
