"""run.py: its words, its environment, and what it says when something is missing."""

import ast
import importlib.util
import os
import re
import runpy
import signal
import subprocess
import sys
import venv
import warnings
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
    assert "run.py: no such word: tset; known are verify, test, fuzz" in capsys.readouterr().err


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


def test_an_older_python_reads_the_script_far_enough_to_refuse_it() -> None:
    assert ast.parse((ROOT / "run.py").read_text(), feature_version=(3, 7)).body


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
    monkeypatch.setattr(run, "find_tool", lambda _name: sys.executable)
    with pytest.raises(run.SetupError, match="click"):
        run.install_locked(["pip"], "click==8.5.1\nllvmlite==0.50.0\n")


def make_environment(place: Path, root: Path = ROOT) -> None:
    """Make an environment that finds this project and looks as if it had all packages."""
    venv.create(place, with_pip=False, symlinks=True)
    packages = next(place.glob("lib/python*/site-packages"))
    (packages / "here.pth").write_text(f"{root / 'typings'}\n")
    for name in ("click", "pip"):
        (packages / f"{name}.py").write_text("")


def test_an_environment_that_runs_and_finds_the_project_is_used(run: ModuleType, elsewhere: Path) -> None:
    assert not run.does_work()
    make_environment(elsewhere)
    assert run.does_work()


@pytest.mark.parametrize(
    "harm", ["missing", "dangling", "no program", "other version", "elsewhere", "no click"]
)
def test_a_broken_environment_is_noticed(run: ModuleType, elsewhere: Path, harm: str, tmp_path: Path) -> None:
    (tmp_path / "typings" / "nomadspec").mkdir(parents=True)
    (tmp_path / "typings" / "nomadspec" / "__init__.py").write_text("")
    make_environment(elsewhere, tmp_path if harm == "elsewhere" else ROOT)
    python = elsewhere / "bin" / "python"
    packages = next(elsewhere.glob("lib/python*/site-packages"))
    if harm in {"missing", "dangling", "no program"}:
        python.unlink()
    if harm == "dangling":
        python.symlink_to("/nonexistent/python3")
    if harm == "no program":
        python.write_text("#!/nonexistent/python3")
        python.chmod(0o755)
    if harm == "other version":  # as after the system's Python was renewed
        packages.parent.rename(packages.parent.with_name("python3.4"))
    if harm == "no click":
        (packages / "click.py").unlink()

    assert not run.does_work()


@pytest.mark.parametrize("gone", ["click.py", "msgspec/_core.so", "msgspec"])
def test_what_was_removed_since_it_was_installed_is_noticed(
    run: ModuleType, elsewhere: Path, gone: str
) -> None:
    make_environment(elsewhere)
    packages = next(elsewhere.glob("lib/python*/site-packages"))
    (packages / "msgspec" / "__pycache__").mkdir(parents=True)
    (packages / "msgspec" / "_core.so").write_text("")
    (elsewhere / "nomadspec-run.stamp").write_text("\n".join(["digest", *run.list_installed()]))
    (packages / "msgspec" / "__pycache__").rmdir()
    (packages / "another.py").write_text("")
    assert run.does_work()

    place = packages / gone
    place.rename(elsewhere / "elsewhere")
    assert not run.does_work()


@pytest.mark.parametrize("is_environment", [True, False])
def test_what_is_broken_is_made_anew_and_nothing_else_removed(
    run: ModuleType, elsewhere: Path, monkeypatch: pytest.MonkeyPatch, is_environment: bool
) -> None:
    elsewhere.mkdir()
    (elsewhere / "nomadspec-dev.stamp").write_text(run.compute_digest("dev"))
    if is_environment:
        (elsewhere / "pyvenv.cfg").write_text("")
    asked: list[list[str]] = []
    monkeypatch.setattr(run, "_must", lambda command, _complaint: asked.append(list(command)))
    run.set_up("run")

    first = [sys.executable, "-m", "venv", *(["--clear"] if is_environment else []), str(elsewhere)]
    assert first == asked[0]
    assert ["-e", "."] == asked[-1][-2:]
    assert run.is_set_up("run")
    assert not run.is_set_up("dev")


def test_a_link_that_leads_nowhere_is_no_environment(
    run: ModuleType, elsewhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere.symlink_to(elsewhere.parent / "gone")
    monkeypatch.setattr(run, "_must", lambda *_given: elsewhere.mkdir(exist_ok=True))
    run.set_up("run")

    assert run.is_set_up("run")
    assert not elsewhere.is_symlink()


def test_who_cannot_write_here_has_an_environment_elsewhere(
    run: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = []
    monkeypatch.setenv("NOMADSPEC_VENV", "")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(run, "is_set_up", lambda _level: False)
    monkeypatch.setattr(run, "_can_write", lambda _place: False)
    monkeypatch.setattr(run, "_make", lambda _level: made.append(run.find_venv()))
    run.set_up("run")

    assert [run.find_own_venv()] == made
    assert tmp_path in made[0].parents


def test_without_a_network_it_is_said_what_is_missing(
    run: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_command: list[str], _complaint: str) -> None:
        raise run.SetupError("NewConnectionError: [Errno -3] Temporary failure in name resolution")

    monkeypatch.setattr(run, "_must", fail)
    monkeypatch.setattr(run, "find_tool", lambda _name: sys.executable)
    lock = "nothing-like-it==1.0 \\\n    --hash=x\nneither==2 ; sys_platform == 'win32' \\\n    --hash=x\n"
    with pytest.raises(run.SetupError, match=r"missing are nothing-like-it==1.0\.\n.*PIP_FIND_LINKS=FOLDER"):
        run.install_locked(["pip"], lock)


@pytest.mark.parametrize(
    ("warning", "why"),
    [
        (
            """broken by 'SSLError("Can't connect: there is no SSL.")': /simple""",
            "Can't connect: there is no SSL",
        ),
        ("broken by 'NewConnectionError('<X at 0x7f>: [Errno -3] No name')': /simple", "[Errno -3] No name"),
    ],
)
def test_why_there_is_no_index_is_said(
    run: ModuleType, monkeypatch: pytest.MonkeyPatch, warning: str, why: str
) -> None:
    monkeypatch.setattr(run, "find_tool", lambda _name: sys.executable)
    problem = f"{warning}\nERROR: No matching distribution found for nothing-like-it==1.0"

    assert f"has them ({why}); missing are" in run.explain_missing(problem, "nothing-like-it==1.0 \\\n")


def test_a_home_in_which_nothing_can_be_made_is_told(
    run: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("NOMADSPEC_VENV", str(tmp_path / "file" / "in" / "venv"))
    code = run.main(["lint"])

    assert 5 == code
    told = f"{tmp_path}/file/in cannot be made (Not a directory): name another place for the environment"
    assert f"run.py: {told} by NOMADSPEC_VENV\n" == capsys.readouterr().err


@pytest.mark.parametrize("arguments", [["help"], ["nonsense"]])
def test_a_reader_that_goes_away_is_no_error(arguments: list[str]) -> None:
    reads, writes = os.pipe()
    os.close(reads)
    with os.fdopen(writes, "wb") as gone:
        command = [sys.executable, str(ROOT / "run.py"), *arguments]
        done = subprocess.run(command, check=False, stdout=gone, stderr=subprocess.PIPE)

    assert b"Traceback" not in done.stderr
    assert b"Exception" not in done.stderr
    assert (141 if arguments == ["help"] else 2) == done.returncode


def test_what_the_system_refuses_is_one_sentence(
    run: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(_level: str) -> None:
        raise PermissionError(13, "Permission denied", "/some/place")

    monkeypatch.setattr(run, "set_up", refuse)

    assert 5 == run.main(["verify"])
    expected = "run.py: /some/place: the system refuses (Permission denied); mend that and call again\n"
    assert expected == capsys.readouterr().err


def test_a_program_that_is_not_there_is_one_sentence(
    run: ModuleType, elsewhere: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(run, "set_up", lambda _level: None)

    assert 5 == run.main(["verify"])
    assert f"run.py: {elsewhere}/bin/nomadspec cannot be run (No such file" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ({"PYTHONDONTWRITEBYTECODE": "1"}, "{venv}/bytecode False\n"),
        ({"PYTHONDONTWRITEBYTECODE": "1", "PYTHONPYCACHEPREFIX": "{venv}/there"}, "{venv}/there False\n"),
        ({}, "None False\n"),
    ],
    ids=["in the environment", "where it was said", "beside the sources"],
)
def test_who_wants_no_bytecode_beside_the_sources_has_it_in_the_environment(
    run: ModuleType,
    elsewhere: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    wanted: dict[str, str],
    expected: str,
) -> None:
    for name in ("PYTHONDONTWRITEBYTECODE", "PYTHONPYCACHEPREFIX"):
        monkeypatch.delenv(name, raising=False)
    for name, value in wanted.items():
        monkeypatch.setenv(name, value.format(venv=elsewhere))
    (elsewhere / "bin").mkdir(parents=True)
    (elsewhere / "bin" / "nomadspec").symlink_to(sys.executable)

    asked = "import sys; print(sys.pycache_prefix, sys.dont_write_bytecode)"

    assert 0 == run.run_program(["nomadspec", "-c", asked])
    assert expected.format(venv=elsewhere) == capfd.readouterr().out


@pytest.mark.usefixtures("hears_hang_ups")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_what_asks_for_a_stop_is_handed_on(
    run: ModuleType, elsewhere: Path, number: signal.Signals, capfd: pytest.CaptureFixture[str]
) -> None:
    program = (
        f"import os, signal; signal.signal({number:d}, lambda *_: (print('heard', flush=True), os._exit(7)))"
    )
    program += f"; os.kill(os.getppid(), {number:d}); signal.pause()"
    (elsewhere / "bin").mkdir(parents=True)
    (elsewhere / "bin" / "nomadspec").symlink_to(sys.executable)

    assert 7 == run.run_program(["nomadspec", "-c", program])
    assert "heard\n" == capfd.readouterr().out
    assert signal.SIG_DFL == signal.getsignal(number)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["-k", "lifecycle"], ["-n", "auto", "--dist", "worksteal", "-k", "lifecycle"]),
        (["-n", "0"], ["-n", "auto", "--dist", "worksteal", "-n", "0"]),
        (["--for=3"], ["-n", "auto", "--dist", "load", "--maxschedchunk", "1", "--for=3"]),
    ],
    ids=" ".join,
)
def test_tests_are_shared_among_the_cores(
    run: ModuleType, monkeypatch: pytest.MonkeyPatch, words: list[str], expected: list[str]
) -> None:
    asked: list[list[str]] = []
    monkeypatch.setattr(run, "run_program", asked.append)
    run.test(words)

    assert [["pytest", *expected]] == asked


@pytest.mark.parametrize(
    ("writable", "expected"),
    [(True, ["mypy", "model"]), (False, ["mypy", "--cache-dir", os.devnull, "model"])],
)
def test_types_are_checked_without_a_cache_where_none_can_be_kept(
    run: ModuleType, monkeypatch: pytest.MonkeyPatch, writable: bool, expected: list[str]
) -> None:
    asked: list[list[str]] = []

    def call(command: list[str], **_more: object) -> subprocess.CompletedProcess[str]:
        asked.append(command)
        return subprocess.CompletedProcess(command, 0, "", "")

    monkeypatch.setattr(run, "_can_write", lambda _place: writable)
    monkeypatch.setattr(run, "find_tool", lambda name: name)
    monkeypatch.setattr(subprocess, "run", call)
    run.types(["model"])

    assert [expected] == asked


def test_tests_pass_where_their_order_cannot_be_kept() -> None:
    with warnings.catch_warnings(record=True) as told:
        warnings.warn("cache could not write path", pytest.PytestCacheWarning, stacklevel=1)

    assert [] == told
