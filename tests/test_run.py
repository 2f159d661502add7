"""run.py: its words, its environment, and what it says when something is missing."""

import importlib.util
import re
import runpy
import sys
from pathlib import Path
from types import ModuleType

import pytest

from tests.tidy.source import ROOT


@pytest.fixture(scope="module")
def run() -> ModuleType:
    """Load the script as a module."""
    spec = importlib.util.spec_from_file_location("run", ROOT / "run.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    # Its dataclass looks its own module up by name.
    sys.modules["run"] = module
    spec.loader.exec_module(module)
    return module


def list_packages(lock: str) -> list[str]:
    """List the packages that a lock names."""
    return re.findall(r"^([\w-]+)==", lock, flags=re.MULTILINE)


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Put the environment at a place where nothing is yet."""
    monkeypatch.setenv("NOMADSPEC_VENV", str(tmp_path / "venv"))
    return tmp_path / "venv"


@pytest.mark.parametrize("arguments", [[], ["help"], ["--help"]])
def test_help_lists_every_word(
    run: ModuleType, capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    code = run.main(arguments)
    listed = [line.split()[0] for line in capsys.readouterr().out.splitlines() if line.startswith("  ")]

    assert 0 == code
    assert [*run.WORDS, "help"] == listed


def test_an_unknown_word_is_a_usage_error(run: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    code = run.main(["tset"])

    assert 2 == code
    assert "run.py: no such word: tset; known are verify, test, lint" in capsys.readouterr().err


def test_the_environment_is_where_the_variable_says(run: ModuleType, elsewhere: Path) -> None:
    assert elsewhere == run.find_venv()
    assert elsewhere in Path(run.find_tool("python")).parents


def test_a_larger_environment_serves_a_smaller_word(run: ModuleType, elsewhere: Path) -> None:
    elsewhere.mkdir()
    (elsewhere / "nomadspec-test.stamp").write_text(run.compute_digest("test"))

    assert run.is_set_up("run")
    assert run.is_set_up("test")
    assert not run.is_set_up("dev")


def test_a_stamp_of_other_locks_does_not_count(run: ModuleType, elsewhere: Path) -> None:
    elsewhere.mkdir()
    (elsewhere / "nomadspec-run.stamp").write_text("of yesterday")

    assert not run.is_set_up("run")


def test_a_python_without_venv_is_told_what_to_install(
    run: ModuleType, elsewhere: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(run.importlib.util, "find_spec", lambda _name: None)
    code = run.main(["verify"])

    assert 5 == code
    assert "apt install python3-venv" in capsys.readouterr().err
    assert not elsewhere.exists()


def test_an_older_python_is_told_which_one_is_needed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 9, 18))
    with pytest.raises(SystemExit) as ended:
        runpy.run_path(str(ROOT / "run.py"))

    assert 5 == ended.value.code
    assert "nomadspec needs Python 3.11 or newer; this is 3.9\n" == capsys.readouterr().err


def test_what_is_optional_is_left_out_where_there_is_none(
    run: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = []

    def install(command: list[str], _complaint: str) -> None:
        asked.append(Path(command[-1]).read_text())
        if "llvmlite" in asked[-1]:
            raise run.SetupError("ERROR: No matching distribution found for llvmlite==0.50.0")

    monkeypatch.setattr(run, "_must", install)
    lock = (ROOT / "requirements" / "run.txt").read_text()
    run.install_locked(["pip"], lock)

    assert lock == asked[0]
    assert set(list_packages(lock)) - {"llvmlite"} == set(list_packages(asked[1]))
    assert asked[0].count("--hash") > asked[1].count("--hash")
    assert "there is no llvmlite for this Python" in capsys.readouterr().err


def test_what_is_needed_is_never_left_out(run: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_command: list[str], _complaint: str) -> None:
        raise run.SetupError("ERROR: No matching distribution found for click==8.5.1")

    monkeypatch.setattr(run, "_must", fail)
    with pytest.raises(run.SetupError, match="click"):
        run.install_locked(["pip"], "click==8.5.1\nllvmlite==0.50.0\n")
