"""A cluster that is gone is told in a sentence: Ray itself ends the process, with the code 1 and no word."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

MAIN = "from nomadspec.checkers.cli.main import main; main()"
CALL = (
    sys.executable,
    "-c",
    MAIN,
    "explore",
    "--model",
    "2pc",
    "--set",
    "rms=1",
    "--ray",
    "--quiet",
    "--json",
)
AMPLE_S = 600
"""A guard against hanging only; what is to be ended sleeps for longer."""

RAY = """
import atexit, os, sys, time

atexit.register(lambda: print("(raylet) It is over."))

def is_initialized():
    return False

def init(**_options):
    {deed}
"""


def start(place: Path, deed: str) -> "subprocess.Popen[str]":
    """Call the program with something in the place of Ray."""
    (place / "ray.py").write_text(RAY.format(deed=deed))
    environment = os.environ | {"PYTHONPATH": str(place)}
    return subprocess.Popen(
        CALL, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=place
    )


@pytest.mark.parametrize(
    ("deed", "sentence"),
    [
        (
            "os._exit(1)",
            "The process that does the work was ended by Ray, as it does where its cluster is gone: ",
        ),
        ("os.kill(os.getpid(), 9)", "The process that does the work was ended by signal 9: call again; "),
        (
            "raise Exception('It timed out.\\nSee the log.')",
            "Ray does not start (It timed out): call again, or ",
        ),
        ("raise ConnectionError", "Ray does not start (ConnectionError): call again, or share the search"),
    ],
)
def test_what_becomes_of_ray_is_one_sentence_and_one_object(tmp_path: Path, deed: str, sentence: str) -> None:
    with start(tmp_path, deed) as process:
        out, err = process.communicate(timeout=AMPLE_S)

    assert 4 == process.returncode
    assert err.removesuffix("(raylet) It is over.\n").startswith(f"nomadspec: {sentence}")
    assert err.count("\n") - err.count("(raylet)") == 1
    assert (4, "UnavailableError") == (json.loads(out)["exit_code"], json.loads(out)["error"])


def test_a_signal_reaches_who_does_the_work(tmp_path: Path) -> None:
    with start(tmp_path, "print('begun', file=sys.stderr, flush=True); time.sleep(3600)") as process:
        assert process.stderr is not None
        assert "begun\n" == process.stderr.readline()
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=AMPLE_S)

    assert 4 == process.returncode
    assert err.startswith("nomadspec: Interrupted")
    assert "inconclusive" == json.loads(out)["verdict"]


def test_who_does_the_work_ends_with_who_was_called(tmp_path: Path) -> None:
    with start(tmp_path, "print('begun', file=sys.stderr, flush=True); time.sleep(3600)") as process:
        assert process.stderr is not None
        assert "begun\n" == process.stderr.readline()
        process.kill()
        _, err = process.communicate(timeout=AMPLE_S)  # which ends with the pipes

    assert err.startswith("nomadspec: Interrupted")
