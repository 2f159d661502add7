"""The program is there without its script: ``python -m nomadspec``."""

import signal
import subprocess
import sys

import pytest

import nomadspec


def test_the_module_runs_as_the_program() -> None:
    command = [sys.executable, "-m", "nomadspec", "--version"]
    done = subprocess.run(command, check=True, capture_output=True, text=True)

    assert f"nomadspec {nomadspec.__version__}\n" == done.stdout


def test_its_exit_code_is_the_verdict() -> None:
    command = [sys.executable, "-m", "nomadspec", "models", "no-such-model", "--quiet"]

    assert 2 == subprocess.run(command, check=False, capture_output=True).returncode


STOPPED = """
import builtins, os, sys
read, number = builtins.__import__, int(sys.argv.pop(1))

def read_and_stop(name, *others):
    if name == "nomadspec.checkers.cli.main":
        builtins.__import__ = read
        os.kill(os.getpid(), number)
    return read(name, *others)

builtins.__import__ = read_and_stop
from nomadspec.__main__ import main
main()
"""
"""Stops before the first module of the program is read."""


@pytest.mark.usefixtures("hears_hang_ups")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_stop_before_anything_is_read_is_one_sentence(number: signal.Signals) -> None:
    command = [sys.executable, "-c", STOPPED, str(int(number)), "models"]
    done = subprocess.run(command, check=False, capture_output=True, text=True)

    assert "nomadspec: Interrupted before there was anything to report.\n" == done.stderr
    assert (4, "") == (done.returncode, done.stdout)
