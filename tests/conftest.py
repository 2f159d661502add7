"""What every test shares."""

import gc
import signal
import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager

import pytest
from hypothesis import settings
from xxhash import xxh3_64_intdigest

from nomadspec.checkers.native.build import PACKAGE, is_available
from nomadspec.model.errors import UsageError

# The machine's speed decides nothing, a failure repeats on every machine, and nothing is left behind.
settings.register_profile("nomadspec", deadline=None, derandomize=True, database=None)
settings.load_profile("nomadspec")

_LEFT_OUT = pytest.StashKey[list[str]]()
_DEADLINE = pytest.StashKey[float]()


def pytest_addoption(parser: pytest.Parser) -> None:
    about = "run tests in a fixed mixed order, and begin none after so many seconds"
    parser.addoption("--for", type=float, metavar="SECONDS", dest="seconds", help=about)


def pytest_configure(config: pytest.Config) -> None:
    config.stash[_LEFT_OUT] = []
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as in the background of a shell
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    seconds = config.option.seconds
    if seconds is None:
        return
    items.sort(key=lambda item: xxh3_64_intdigest(item.nodeid.encode()))
    for item in [item for item in items if _find_usual_seconds(item) > seconds]:
        items.remove(item)
        config.stash[_LEFT_OUT].append(item.nodeid)


def pytest_collection_finish() -> None:
    """Let the collector of garbage come seldom, and never look at what stays until the end.

    What the tests share grows to a million objects: each look at all of them takes half a second.
    """
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
    item.config.stash[_LEFT_OUT].append(item.nodeid)
    return True


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
    """Let all tests, and the processes that they start, share a cache of compiled code that is no user's."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NOMADSPEC_CACHE", str(tmp_path_factory.mktemp("compiled")))
        yield
