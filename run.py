#!/usr/bin/env python3
"""Set the project up, then run one of its chores: `python3 run.py help` lists them.

Needs Python >= 3.11 with venv and nothing else. The first run of a word creates an environment (`.venv`, or
the directory that NOMADSPEC_VENV names), installs exactly what requirements/ locks and the project itself in
editable form. Later runs see by a stamp that nothing changed and start at once.
"""

import sys

if sys.version_info < (3, 11):  # noqa: UP036 - the one sentence that an older Python has to understand
    sys.stderr.write("nomadspec needs Python 3.11 or newer; this is {}.{}\n".format(*sys.version_info))
    sys.exit(5)

import hashlib
import importlib.util
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Final, TypeAlias

ROOT: Final = Path(__file__).resolve().parent
LEVELS: Final = ("run", "test", "dev")
"""The locks, each of which contains the one before."""

OPTIONAL: Final = ("llvmlite",)
"""What is left out where there is no wheel of it: searches then take longer, and come to the same."""

EXIT_USAGE: Final = 2
EXIT_SETUP: Final = 5
EXIT_INTERRUPTED: Final = 130
EXIT_BROKEN_PIPE: Final = 141

PROBE: Final = """
import sys
from importlib.util import find_spec
from pathlib import Path

venv, root = (Path(given).resolve() for given in sys.argv[1:])
package = find_spec("nomadspec")
place = Path(package.origin).resolve() if package and package.origin else None
is_ours = place is not None and place.exists() and root in place.parents
is_here = sys.version_info >= (3, 11) and Path(sys.prefix).resolve() == venv
sys.exit(not (is_here and is_ours and find_spec("click") and find_spec("pip")))
"""
"""What the environment's Python is asked: whether it is the one that the packages are for, and finds them."""

LIST_MISSING: Final = r"""
import re, sys
from importlib.metadata import PackageNotFoundError, version
from pip._vendor.packaging.markers import Marker

LINE = re.compile(r"^([\w.-]+)==([^\s;]+)(?: ; ([^\\\n]*))?", re.MULTILINE)
for name, wanted, marker in LINE.findall(sys.stdin.read()):
    try:
        found = version(name)
    except PackageNotFoundError:
        found = None
    if found != wanted and (not marker.strip() or Marker(marker.strip()).evaluate()):
        print(f"{name}=={wanted}")
"""
"""What it is asked when packages could not be fetched: which of those in a lock it lacks."""

OFFLINE: Final = re.compile(
    "NewConnectionError|NameResolutionError|Temporary failure in name resolution|Network is unreachable"
    "|Connection refused|ConnectTimeoutError|ReadTimeoutError|ProxyError|No route to host"
    "|No matching distribution"
)
"""How pip says that it came to no index, or that the index has not what is wanted."""

CAUSE: Final = re.compile(r"""broken by '\w+\((["'])(?:<[^>]*>: )?(?P<why>.*?)\1\)'""")
"""Why it came to none, as it warns before it gives up."""

Program: TypeAlias = "subprocess.Popen[bytes]"


class SetupError(Exception):
    """The environment could not be made; the message says what to do."""


@dataclass(frozen=True, slots=True)
class Word:
    """One chore: which lock it needs, what `help` says of it, what it does with further arguments."""

    level: str
    summary: str
    run: Callable[[Sequence[str]], int]


# --- the environment ---------------------------------------------------------------------------------------


def find_venv() -> Path:
    """Return the directory of the environment."""
    return Path(os.environ.get("NOMADSPEC_VENV") or ROOT / ".venv").absolute()


def find_tool(name: str) -> str:
    """Return the path of a program of the environment."""
    folder, suffix = ("Scripts", ".exe") if os.name == "nt" else ("bin", "")
    return str(find_venv() / folder / (name + suffix))


def compute_digest(level: str) -> str:
    """Digest what an environment of this level is made from."""
    sources = (ROOT / "requirements" / f"{level}.txt", ROOT / "pyproject.toml")
    return hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()


def is_set_up(level: str) -> bool:
    """Whether the environment holds this level, or one that contains it, as the locks are now."""
    enough = LEVELS[LEVELS.index(level) :]
    return any(_read_stamp(name)[:1] == [compute_digest(name)] for name in enough)


def does_work() -> bool:
    """Whether the environment is whole: its Python runs, is that of its packages, and finds this project."""
    if not all((find_venv() / path).exists() for name in LEVELS for path in _read_stamp(name)[1:]):
        return False  # something was removed since it was installed
    command = [find_tool("python"), "-I", "-c", PROBE, str(find_venv()), str(ROOT)]
    try:
        return subprocess.run(command, cwd=ROOT, check=False, capture_output=True).returncode == 0
    except OSError:  # it is missing, or leads nowhere
        return False


def set_up(level: str) -> None:
    """Make the environment hold this level, and mend what is broken or half-made."""
    if is_set_up(level) and does_work():
        return
    if not os.environ.get("NOMADSPEC_VENV") and not _can_write(find_venv()):
        os.environ["NOMADSPEC_VENV"] = str(find_own_venv())
        if is_set_up(level) and does_work():
            return
    with _alone():
        if not (is_set_up(level) and does_work()):  # nobody else has done it meanwhile
            _make(level)


def find_own_venv() -> Path:
    """Return the directory of an environment for a user who cannot write the checkout."""
    caches = os.environ.get("XDG_CACHE_HOME")
    folder = Path(caches) if caches else Path.home() / ".cache"
    return folder / "nomadspec" / "environments" / hashlib.sha256(str(ROOT).encode()).hexdigest()[:16]


def _can_write(venv: Path) -> bool:
    return os.access(venv if venv.exists() else venv.parent, os.W_OK | os.X_OK)


@contextmanager
def _alone() -> Iterator[None]:
    """Wait until nobody else makes the environment, where the system can tell."""
    folder = find_venv().parent
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        hint = "name another place for the environment by NOMADSPEC_VENV"
        raise SetupError(f"{folder} cannot be made ({problem.strerror}): {hint}") from problem
    try:
        from fcntl import LOCK_EX, flock  # noqa: PLC0415 - not everywhere
    except ImportError:
        yield
        return
    number = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):
            flock(number, LOCK_EX)
        yield
    finally:
        os.close(number)


def _make(level: str) -> None:
    venv, started_s = find_venv(), time.monotonic()
    _say(f"setting up {venv} from requirements/{level}.txt ...")
    if importlib.util.find_spec("venv") is None or importlib.util.find_spec("ensurepip") is None:
        sentence = "this Python comes without venv: install it (Debian and Ubuntu: apt install python3-venv)"
        raise SetupError(sentence)
    was_whole = any(_stamp(name).exists() for name in LEVELS) and does_work()
    for name in LEVELS:
        _stamp(name).unlink(missing_ok=True)
    if not was_whole:
        if venv.is_symlink() and not venv.exists():
            venv.unlink()  # it leads nowhere
        # What is no environment may be somebody's folder, from which nothing may be removed.
        clear = ["--clear"] if (venv / "pyvenv.cfg").exists() else []
        _must([sys.executable, "-m", "venv", *clear, str(venv)], "the environment could not be created")
    pip = [
        find_tool("python"),
        "-m",
        "pip",
        "--disable-pip-version-check",
        "--no-input",
        "install",
        "--quiet",
    ]
    install_locked(pip, (ROOT / "requirements" / f"{level}.txt").read_text())
    _must([*pip, "--no-deps", "--no-build-isolation", "-e", "."], "the project could not be installed")
    _stamp(level).write_text("\n".join([compute_digest(level), *list_installed()]))
    _say(f"ready after {time.monotonic() - started_s:.0f} s")


def install_locked(pip: Sequence[str], lock: str) -> None:
    """Install what a lock names, without what is optional and has no wheel for this Python."""
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "lock.txt"
        path.write_text(lock)
        # Only wheels, so that a missing one is said at once instead of asking for a compiler.
        locked = [*pip, "--require-hashes", "--no-deps", "--only-binary", ":all:", "-r", str(path)]
        try:
            _must(locked, "the locked requirements could not be installed: is there a network?")
        except SetupError as error:
            missing = [name for name in OPTIONAL if f"found for {name}==" in str(error)]
            if not missing:
                raise SetupError(explain_missing(str(error), lock)) from error
            _say(f"there is no {missing[0]} for this Python: going on without it, which is slower")
            install_locked(pip, leave_out(lock, missing[0]))


def explain_missing(problem: str, lock: str) -> str:
    """Name the packages that could not be fetched; what else went wrong is said as pip says it."""
    if not OFFLINE.search(problem):
        return problem
    asked = [find_tool("python"), "-I", "-c", LIST_MISSING]
    found = subprocess.run(asked, input=lock, check=False, capture_output=True, text=True).stdout.split()
    if not found:
        return problem
    cause = CAUSE.search(problem)
    why = f" ({cause['why'].rstrip('.')})" if cause else ""
    return (
        f"there is no network, or no index that has them{why}; missing are {', '.join(found)}.\n"
        "Connect and call again, or put their wheels into a folder and call with PIP_NO_INDEX=1 "
        "PIP_FIND_LINKS=FOLDER."
    )


def leave_out(lock: str, name: str) -> str:
    """Take a package out of a lock."""
    return re.sub(rf"^{name}==.*\n(?:[ #].*\n)*", "", lock, flags=re.MULTILINE)


def _stamp(level: str) -> Path:
    return find_venv() / f"nomadspec-{level}.stamp"


def _read_stamp(level: str) -> list[str]:
    """Read what was installed: the digest of the lock, then the paths."""
    return _stamp(level).read_text().splitlines() if _stamp(level).exists() else []


def list_installed() -> list[str]:
    """List the packages in the environment, and what lies in their folders, from its own folder on."""
    found: list[Path] = []
    for place in [*find_venv().glob("lib/python*/site-packages"), *find_venv().glob("Lib/site-packages")]:
        for package in place.iterdir():
            found += [package, *(package.iterdir() if package.is_dir() else ())]
    return sorted(path.relative_to(find_venv()).as_posix() for path in found if path.name != "__pycache__")


def _say(sentence: str) -> None:
    with suppress(OSError):  # nobody listens
        print(f"run.py: {sentence}", file=sys.stderr, flush=True)


def _must(command: Sequence[str], complaint: str) -> None:
    done = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)
    if done.returncode:
        raise SetupError(f"{complaint}\n{done.stdout}{done.stderr}".rstrip())


# --- running things ----------------------------------------------------------------------------------------


def run_program(command: Sequence[str], cwd: Path = ROOT) -> int:
    """Run a program of the environment and return its exit code; a stop is the program's to answer."""
    tools = str(Path(find_tool("python")).parent)
    path = os.pathsep.join([tools, os.environ.get("PATH", "")])
    environment = os.environ | {"PATH": path, "VIRTUAL_ENV": str(find_venv())}
    is_unwanted = environment.pop("PYTHONDONTWRITEBYTECODE", "")
    if is_unwanted:  # beside the sources, that is: to compile everything again takes seconds
        environment.setdefault("PYTHONPYCACHEPREFIX", str(find_venv() / "bytecode"))
    command = [find_tool(command[0]), *command[1:]]

    def start() -> Program:
        return subprocess.Popen(command, cwd=cwd, env=environment)

    with _passing_on() as begin, begin(start) as process:
        while True:
            try:
                code = process.wait()
            except KeyboardInterrupt:
                continue
            return code if code >= 0 else 128 - code


@contextmanager
def _passing_on() -> Iterator[Callable[[Callable[[], Program]], Program]]:
    """Hand on to a program what asks this one to stop; a terminal tells both of Ctrl-C anyway."""
    running: list[Program] = []
    early: list[int] = []

    def hand_on(number: int, _frame: FrameType | None) -> None:
        early.append(number)
        for process in running:
            process.send_signal(number)

    def begin(start: Callable[[], Program]) -> Program:
        try:
            running.append(start())
        except OSError as problem:
            raise SetupError(f"{problem.filename} cannot be run ({problem.strerror})") from problem
        for number in early:
            running[0].send_signal(number)
        return running[0]

    numbers = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    heard = [number for number in numbers if signal.getsignal(number) is signal.SIG_DFL]
    for number in heard:
        signal.signal(number, hand_on)
    try:
        yield begin
    finally:
        for number in heard:
            signal.signal(number, signal.SIG_DFL)


def run_all(*commands: Sequence[str]) -> int:
    """Run programs one after the other, all of them, and return the first code that is not 0."""
    codes = [run_program(command) for command in commands]
    return next((code for code in codes if code), 0)


# --- the words ---------------------------------------------------------------------------------------------


def verify(arguments: Sequence[str]) -> int:
    """Ask for the verdict over the published models."""
    return run_program(["nomadspec", "verify", *arguments])


def test(arguments: Sequence[str]) -> int:
    """Run the tests, in as many processes as there are cores."""
    return run_program(["pytest", *share_out(arguments), *arguments])


def share_out(arguments: Sequence[str]) -> list[str]:
    """Say how tests are shared among processes: each goes through its part in order, and helps at the end.

    So tests that lie together share what is dear to make, and no process waits for a long file. Tests that
    begin within some seconds are handed out one by one, so that they begin in their order.
    """
    if any(one == "--for" or one.startswith("--for=") for one in arguments):
        return ["-n", "auto", "--dist", "load", "--maxschedchunk", "1"]
    return ["-n", "auto", "--dist", "worksteal"]


def fuzz(arguments: Sequence[str]) -> int:
    """Feed damaged inputs to everything that reads."""
    return run_program(["python", "-m", "tests.fuzz", *arguments])


def lint(arguments: Sequence[str]) -> int:
    """Check style, layout of the code, and that nothing lies unused."""
    if arguments:
        return run_program(["ruff", "check", *arguments])
    return run_all(["ruff", "check", "."], ["ruff", "format", "--check", "."], ["vulture"])


def types(arguments: Sequence[str]) -> int:
    """Check the types; findings name the real files instead of the links in typings/."""
    kept = [] if _can_write(ROOT / ".mypy_cache") else ["--cache-dir", os.devnull]
    command = [find_tool("mypy"), *kept, *arguments]
    done = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)
    print((done.stdout + done.stderr).replace("typings/nomadspec/", ""), end="", flush=True)
    return done.returncode


def imports(arguments: Sequence[str]) -> int:
    """Check who may import whom, on a copy that is laid out as the installed package is."""
    with tempfile.TemporaryDirectory() as directory:
        # The contract's reader follows neither links nor the editable install, and looks where it is started.
        package = Path(directory) / "nomadspec"
        shutil.copytree(ROOT / "typings" / "nomadspec", package, ignore=shutil.ignore_patterns("__pycache__"))
        command = ["lint-imports", "--config", str(ROOT / "pyproject.toml"), "--no-cache", *arguments]
        return run_program(command, Path(directory))


def docs(arguments: Sequence[str]) -> int:
    """Write the reference pages and build the documentation, warnings being errors."""
    # Not --quiet: mkdocs counts only the warnings that it shows.
    return run_all(
        ["python", "-m", "nomadspec.checkers.reference"], ["mkdocs", "build", "--strict", *arguments]
    )


def release(arguments: Sequence[str]) -> int:
    """Build what is released, and try it in clean environments."""
    return run_program(["python", "-m", "tests.packaging.smoke", *arguments])


def notebooks(arguments: Sequence[str]) -> int:
    """Execute the notebooks and compare what they show with what they have stored."""
    return run_program(["python", "-m", "tests.notebooks", *arguments])


def ci(arguments: Sequence[str]) -> int:
    """Run every check in an environment of its own, as CI does."""
    command = ["bash", ".ci/run", *arguments]
    return subprocess.run(command, cwd=ROOT, check=False).returncode


def lock(arguments: Sequence[str]) -> int:
    """Resolve pyproject.toml anew into requirements/*.txt, with hashes, for every platform and Python."""
    with tempfile.TemporaryDirectory() as directory:
        _must([sys.executable, "-m", "venv", directory], "the environment of uv could not be created")
        _must([f"{directory}/bin/pip", "install", "--quiet", "uv"], "uv could not be installed")
        compile_ = [f"{directory}/bin/uv", "pip", "compile", "--universal", "--generate-hashes", "--quiet"]
        options = [
            "--python-version",
            "3.11",
            "--fork-strategy",
            "fewest",
            "--extra",
            "fast",
            "--custom-compile-command",
            "python3 run.py lock",
            *arguments,
        ]
        above: list[str] = []
        for level in reversed(LEVELS):
            target = f"requirements/{level}.txt"
            groups = ["--group", "build" if level == "run" else level]
            _must([*compile_, *options, "pyproject.toml", *groups, *above, "-o", target], f"no {target}")
            above = ["--constraint", target]  # a smaller lock names the same versions
    return 0


WORDS: Final[dict[str, Word]] = {
    "verify": Word("run", "one verdict over the published models: nomadspec verify", verify),
    "test": Word("test", "the tests, without the deep ones: pytest", test),
    "fuzz": Word("test", "damaged inputs for everything that reads: tests/fuzz", fuzz),
    "lint": Word("dev", "style and unused code: ruff, vulture", lint),
    "types": Word("dev", "types, strictly: mypy", types),
    "imports": Word("dev", "who may import whom: import-linter", imports),
    "docs": Word("dev", "the documentation into site/, warnings being errors: mkdocs", docs),
    "notebooks": Word("dev", "execute the notebooks and compare: tests/notebooks", notebooks),
    "release": Word("test", "wheel and sdist, tried on every Python that is here: tests/packaging", release),
    "ci": Word("", "all of these, in an environment made from nothing: .ci/run", ci),
    "lock": Word("", "renew requirements/ from pyproject.toml: uv pip compile", lock),
}


def compute_help() -> str:
    """Write the manual page."""
    lines = [f"  {name:<10} {word.summary}" for name, word in WORDS.items()]
    return "\n".join(
        [
            "usage: python3 run.py WORD [ARGUMENT ...]",
            "",
            *lines,
            "  help       this page",
            "",
            "Further arguments go to the program that the word runs: python3 run.py test -k lifecycle",
            "NOMADSPEC_VENV names another directory than .venv for the environment. Who cannot write",
            "here has one among the caches. A broken or half-made one is made anew.",
        ]
    )


def main(arguments: Sequence[str]) -> int:
    """Run the word that the command line names."""
    name, *rest = arguments or ["help"]
    if name in {"help", "-h", "--help"}:
        print(compute_help())
        return 0
    if name not in WORDS:
        _say(f"no such word: {name}; known are {', '.join(WORDS)} and help")
        return EXIT_USAGE
    word = WORDS[name]
    try:
        if word.level:
            set_up(word.level)
        return word.run(rest)
    except SetupError as error:
        _say(str(error))
        return EXIT_SETUP
    except OSError as error:
        if isinstance(error, BrokenPipeError):
            raise
        place = f"{error.filename}: " if error.filename else ""
        _say(f"{place}the system refuses ({error.strerror}); mend that and call again")
        return EXIT_SETUP
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED


def main_to_pipe(arguments: Sequence[str]) -> int:
    """Run a word; whoever reads the output may go away, as `| head -1` does."""
    try:
        code = main(arguments)
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_BROKEN_PIPE
    return code


if __name__ == "__main__":
    sys.exit(main_to_pipe(sys.argv[1:]))
