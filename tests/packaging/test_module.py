"""The program is there without its script: ``python -m nomadspec``."""

import subprocess
import sys

import nomadspec


def test_the_module_runs_as_the_program() -> None:
    command = [sys.executable, "-m", "nomadspec", "--version"]
    done = subprocess.run(command, check=True, capture_output=True, text=True)

    assert f"nomadspec {nomadspec.__version__}\n" == done.stdout


def test_its_exit_code_is_the_verdict() -> None:
    command = [sys.executable, "-m", "nomadspec", "models", "no-such-model", "--quiet"]

    assert 2 == subprocess.run(command, check=False, capture_output=True).returncode
