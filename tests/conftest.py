"""What every test shares."""

import gc
import os
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

import pytest
from _pytest.unraisableexception import gc_collect_iterations_key
from hypothesis import Phase, settings
from xxhash import xxh3_64_intdigest

from nomadspec.checkers.native.build import PACKAGE, is_available
from nomadspec.model.errors import UsageError
from nomadspec.model.language.reading import Remembered
from tests.once import (
    bound_published_models_once,
    compile_as_asked,
    compile_quickly,
    draw_no_numbers_of_sources,
    look_again_as_usual,
    look_again_seldom,
    look_at_ours_elsewhere,
    share_programs,
    unpack_recordings_once,
)

# The machine's speed decides nothing, a failure repeats on every machine, and nothing is left behind. To tell
# which parts of a failure matter, each run of it would be followed line by line: that takes most of the time.
PHASES = [phase for phase in Phase if phase is not Phase.explain]
settings.register_profile("nomadspec", deadline=None, derandomize=True, database=None, phases=PHASES)
settings.load_profile("nomadspec")

USUAL = "not deep"
"""How the usual tests are asked for, as pyproject.toml does."""

_LEFT_OUT = pytest.StashKey[set[str]]()
_DEADLINE = pytest.StashKey[float]()
_BYTECODE = Path(sys.prefix) / "bytecode"


class _Hand(Protocol):
    """A process that runs tests, as it is known to who hands them out."""

    config: pytest.Config


class _LookAway:
    """Looks at no names."""

    def __init__(self, *_shown: object) -> None:
        """Show nothing."""

    def look_away(self, *_asked: object) -> None:
        """Find nothing."""

    expect_rule = expect_property = expect_step = expect_rest = look_away


@pytest.fixture
def ids_may_be_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let short texts write 0 for the first id of a set, where what they are about is something else."""
    monkeypatch.setattr("nomadspec.model.language.bounded.NameCheck", _LookAway)


@pytest.fixture
def unread_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let texts do what no engine sees: nobody reads them before they run."""
    monkeypatch.setattr("nomadspec.model.language.bounded.remember_state", lambda _texts: Remembered(()))


@pytest.fixture
def hears_hang_ups() -> Iterator[None]:
    """Let SIGHUP mean what it does in a terminal, also where ``nohup`` has started the tests."""
    usual = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGHUP, usual)


def pytest_addoption(parser: pytest.Parser) -> None:
    about = "run tests in a fixed mixed order, and begin none after so many seconds"
    parser.addoption("--for", type=float, metavar="SECONDS", dest="seconds", help=about)


def pytest_configure(config: pytest.Config) -> None:
    config.stash[_LEFT_OUT] = set()
    patch = pytest.MonkeyPatch()
    config.add_cleanup(patch.undo)
    config.stash[gc_collect_iterations_key] = 1  # CPython needs no second look, and each takes a second
    _keep_bytecode(patch)
    bound_published_models_once(patch)
    unpack_recordings_once(patch)
    if config.option.markexpr == USUAL:  # Hypothesis looks as soon as tests are collected
        draw_no_numbers_of_sources(patch)
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as in the background of a shell
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _keep_bytecode(patch: pytest.MonkeyPatch) -> None:
    """Keep bytecode in the environment for who wants none beside the sources.

    Otherwise each process of tests compiles them all anew, and each that a test starts all that it imports.
    """
    if sys.dont_write_bytecode:
        patch.setattr(sys, "dont_write_bytecode", False)
        patch.setattr(sys, "pycache_prefix", str(_BYTECODE))
        patch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
        patch.setenv("PYTHONPYCACHEPREFIX", str(_BYTECODE))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    seconds = config.option.seconds
    if seconds is None:
        return
    items.sort(key=lambda item: xxh3_64_intdigest(item.nodeid.encode()))
    for item in [item for item in items if _find_usual_seconds(item) > seconds]:
        items.remove(item)
        config.stash[_LEFT_OUT].add(item.nodeid)


def pytest_collection_finish(session: pytest.Session) -> None:
    """Let the collector of garbage come seldom, and never look at what stays until the end.

    What the tests share grows to a million objects: each look at all of them takes half a second.
    """
    if not any(item.get_closest_marker("deep") for item in session.items):
        _go_easy(session.config)
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 20, 20)


def _find_usual_seconds(item: pytest.Item) -> float:
    """How long a test takes that is known to be longer than most: ``@pytest.mark.deep(seconds=400)``."""
    return max((mark.kwargs.get("seconds", 0) for mark in item.iter_markers("deep")), default=0)


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> None:
    if session.config.option.seconds is not None:
        session.config.stash[_DEADLINE] = time.monotonic() + session.config.option.seconds


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> bool | None:
    if time.monotonic() < item.config.stash.get(_DEADLINE, float("inf")):
        return None
    item.config.stash[_LEFT_OUT].add(item.nodeid)
    return True


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Tell who hands the tests out what was not begun here; who does forgets bytecode of temporary files."""
    output = getattr(session.config, "workeroutput", None)
    if output is None:
        temporary = Path(tempfile.gettempdir()).resolve()
        shutil.rmtree(Path(_BYTECODE, *temporary.parts[1:]), ignore_errors=True)
    if output is not None:
        left_out: set[str] = session.config.stash[_LEFT_OUT]
        output["left out"] = sorted(left_out)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: _Hand) -> None:
    """Hear what another process did not begin; one that was lost says nothing."""
    told = getattr(node, "workeroutput", {})
    node.config.stash[_LEFT_OUT].update(told.get("left out", ()))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup() -> Generator[None]:
    with _leave_out_machine_code():
        yield


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Generator[None]:
    with _leave_out_machine_code():
        yield


@contextmanager
def _leave_out_machine_code() -> Iterator[None]:
    """Where nothing can be compiled, leave out the tests that ask for it, and report them."""
    try:
        yield
    except (ModuleNotFoundError, UsageError) as error:
        if is_available() or PACKAGE not in str(error):
            raise
        raise pytest.skip.Exception(f"this machine has no {PACKAGE}") from error


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    left_out = config.stash[_LEFT_OUT]
    if left_out:
        terminalreporter.write_line(f"{len(left_out)} tests were not begun: the time for them was over")


@pytest.fixture(autouse=True, scope="session")
def _keep_caches_apart(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Let all tests, and the processes that they start, share a cache and a key that are no user's."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NOMADSPEC_CACHE", str(_find_shared(tmp_path_factory) / "compiled"))
        patch.delenv("COLUMNS", raising=False)  # how wide the tester's screen is decides nothing
        patch.setenv("NOMADSPEC_KEY", str(tmp_path_factory.mktemp("key") / "key"))
        yield


def _find_shared(factory: pytest.TempPathFactory) -> Path:
    """Find the folder of the run, which all of its processes share."""
    own = factory.getbasetemp()
    return own.parent if "PYTEST_XDIST_WORKER" in os.environ else own


def _go_easy(config: pytest.Config) -> None:
    """Optimise nothing, and look at worlds and texts seldom, unless deep tests run too: they are worth it.

    This is no fixture, which each test would ask for: with its request, that takes a tenth of a small test.
    """
    patch = pytest.MonkeyPatch()
    config.add_cleanup(patch.undo)
    compile_quickly(patch)
    share_programs(patch)
    look_again_seldom(patch)
    look_at_ours_elsewhere(patch)
    draw_no_numbers_of_sources(patch)


@pytest.fixture
def optimised_code(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the optimiser do what it is asked for."""
    compile_as_asked(monkeypatch)


@pytest.fixture
def whole_second_look(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ask the texts again, and exchange ids, in as many worlds as users have it."""
    look_again_as_usual(monkeypatch)
