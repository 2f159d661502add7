"""How every call begins and ends."""

import json
import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from nomadspec.checkers.cli import main as subject
from nomadspec.checkers.cli.early_arguments import INTERRUPTED
from nomadspec.checkers.cli.overview import COMPLETION_VARIABLE
from tests.checkers.cli.calling import call
from tests.checkers.cli.copied import run_copy

MAIN = "from nomadspec.checkers.cli.main import main; main()"


def test_help_imports_nothing_that_takes_long() -> None:
    code = "import sys; from nomadspec.checkers.cli.main import run; run(['--help']); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    modules = set(done.stdout.splitlines()[-1].split())
    assert not modules & {"z3", "hypothesis", "networkx", "msgspec", "xxhash", "pygraphviz"}
    assert not [name for name in modules if name.startswith("nomadspec.model.") and name.endswith("bounded")]


def test_a_shell_is_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(COMPLETION_VARIABLE, "bash_complete")
    monkeypatch.setenv("COMP_WORDS", "nomadspec explore --model core --scope fl")
    monkeypatch.setenv("COMP_CWORD", "5")

    assert "plain,flip\n" == call().out


def test_a_reader_that_goes_away_is_no_error() -> None:
    read, write = os.pipe()
    os.close(read)
    done = run_copy("--help", out=write)
    os.close(write)

    assert (141, "") == (done.code, done.err)


HASTY = """
import os, signal, sys

class Watcher:
    def find_spec(self, name, path=None, target=None):
        if name == "MODULE":  # half of it, or of what asks for it, is there
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Watcher())
"""


@pytest.mark.parametrize("module", ["click.formatting", "unicodedata", "nomadspec.checkers.cli.models"])
def test_ctrl_c_while_the_program_is_read_is_one_sentence(module: str, tmp_path: Path) -> None:
    """Who compiles all anew reads names of characters; the other modules are read as ever."""
    more = {"PYTHONPYCACHEPREFIX": str(tmp_path)} if module == "unicodedata" else {}
    done = subprocess.run(
        [sys.executable, "-c", HASTY.replace("MODULE", module) + MAIN, "models", "--json"],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | more,
    )

    assert (4, f"nomadspec: {INTERRUPTED}\n") == (done.returncode, done.stderr)
    assert "nomadspec/error/1" == json.loads(done.stdout)["schema"]


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_large_result_that_is_interrupted_while_it_is_written_is_whole(unbuffered: str) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", MAIN, "properties", "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | {"PYTHONUNBUFFERED": unbuffered},
    ) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        select.select([running.stdout], [], [])  # it has begun to write more than a pipe holds
        running.send_signal(signal.SIGINT)
        running.send_signal(signal.SIGTERM)
        answer = running.stderr.readline()
        whole = running.stdout.read()

    assert b"already stopping" in answer
    assert len(whole) > 1 << 16
    assert "nomadspec/properties/1" == json.loads(whole)["schema"]
    assert 0 == running.returncode


CLOSED = pytest.mark.parametrize("closed", ["1", "2", "0", "1 2"])


@CLOSED
def test_a_stream_that_is_closed_changes_no_verdict(closed: str) -> None:
    """Python begins without the streams that are closed then."""

    def close() -> None:
        for number in map(int, closed.split()):
            os.close(number)
            setattr(sys, ("stdin", "stdout", "stderr")[number], None)

    done = run_copy("models", "2pc", prepare=close)

    assert (0, "") == (done.code, done.err)
    assert ("1" in closed.split()) == (done.out == "")


@pytest.mark.deep
@CLOSED
def test_a_stream_that_the_shell_has_closed_changes_no_verdict(closed: str) -> None:
    closing = " ".join(f"{number}>&-" for number in closed.split())
    done = subprocess.run(
        ["/bin/sh", "-c", f'exec "$@" {closing}', "sh", sys.executable, "-c", MAIN, "models", "2pc"],
        check=False,
        capture_output=True,
    )

    assert (0, b"") == (done.returncode, done.stderr)


@pytest.mark.parametrize("words", [("models",), ("models", "--json"), ("diagram", "job", "-f", "svg")])
def test_a_full_disk_is_one_sentence(words: tuple[str, ...]) -> None:
    with Path("/dev/full").open("wb") as full:
        done = run_copy(*words, out=full)

    assert 4 == done.code
    assert done.err.startswith("nomadspec: the system refuses to go on (")
    assert 1 == done.err.count("\n")


def test_what_was_found_outlives_a_disk_that_takes_neither_result_nor_message() -> None:
    words = ("explore", "--model", "2pc", "--scope", "hasty")
    with Path("/dev/full").open("wb") as full:
        done = run_copy(*words, out=full, err=full)

    assert 1 == done.code


def test_an_interrupt_before_anything_else_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupt(_words: object) -> int:
        raise KeyboardInterrupt

    ignored = []
    monkeypatch.setattr(subject, "run", interrupt)
    monkeypatch.setattr(subject, "take_signals", lambda: True)
    monkeypatch.setattr("signal.signal", lambda *given: ignored.append(given))
    with pytest.raises(SystemExit) as ended:
        subject.main()

    assert (4, 3) == (ended.value.code, len(ignored))
    assert "nomadspec: Interrupted before there was anything to report.\n" == capsys.readouterr().err
