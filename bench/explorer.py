"""How fast scopes are explored: processes as users start them, with and without caches, and peers beside.

Peers are ports of the benchmark protocol (model `core`, scope `full`) to other tools, which are named by the
options; each of their rows says how many times as long as the same search of ours they take.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from nomadspec.checkers.explore.compiled import compile_search
from nomadspec.checkers.explore.search import Search
from nomadspec.checkers.explore.task import Task, make_task
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.language.property import Kind

RUNS = 5
QUIET = subprocess.DEVNULL
MIB = 1 << 20
SMALL, POINTS = 10_000, (100_000, 1_000_000, 10_000_000)
ENTRY = "import sys; from nomadspec.checkers.cli.main import main; sys.argv[0] = 'nomadspec'; main()"
INVARIANT_NAMES = ("no_node_is_oversubscribed", "no_token_is_shared")
INVARIANTS = tuple(word for name in INVARIANT_NAMES for word in ("-p", name))
PLAIN, ORBITS = "core full, both invariants", "core full, symmetry"


@dataclass(frozen=True)
class Case:
    """A search by this package."""

    name: str
    model: str
    options: tuple[str, ...]

    asks_endless: bool = True
    """Whether questions about endless paths are asked as well; they need all steps to be kept."""

    def words(self) -> list[str]:
        """Write the command."""
        words = [sys.executable, "-c", ENTRY, "explore", "--json", "--model", self.model, *self.options]
        if not self.asks_endless:
            properties = find_model(self.model).properties
            words += [
                word for one in properties if one.kind is not Kind.EVENTUALLY for word in ("-p", one.name)
            ]
        return words


CASES = (
    Case(PLAIN, "core", ("--scope", "full", *INVARIANTS)),
    Case("the same by two processes", "core", ("--scope", "full", *INVARIANTS, "--workers", "2")),
    Case("the same with 300 MiB", "core", ("--scope", "full", *INVARIANTS, "--memory", "300")),
    Case("core full, everything", "core", ("--scope", "full")),
    Case(ORBITS, "core", ("--scope", "full", "--reduction", "symmetry", *INVARIANTS)),
    Case("2pc, 9 managers", "2pc", ("--scope", "full", "--set", "rms=9")),
    Case("2pc, 8 managers, symmetry", "2pc", ("--scope", "full", "--reduction", "symmetry")),
    Case(
        "2pc, 14 managers, symmetry", "2pc", ("--scope", "full", "--set", "rms=14", "--reduction", "symmetry")
    ),
    Case(
        "kernel, reference", "kernel", ("--scope", "reference", "--profile", "intended"), asks_endless=False
    ),
)


@dataclass(frozen=True)
class Peer:
    """Another tool's search of the benchmark protocol."""

    name: str
    beside: str
    """The case with which it is compared."""
    command: Sequence[str]
    folder: Path | None = None


@dataclass(frozen=True)
class Run:
    """What one process took."""

    wall_s: float
    cpu_s: float
    peak_mib: float


@dataclass
class Measured:
    """The median times of the cases, by name."""

    wall_s: dict[str, float] = field(default_factory=dict)


def run(words: Sequence[str], environment: Mapping[str, str], folder: Path | None = None) -> Run:
    """Start a process and wait for it; those that it starts count too."""
    begun = time.perf_counter()
    given = {**os.environ, **environment}
    with subprocess.Popen(words, stdout=QUIET, stderr=QUIET, env=given, cwd=folder) as process:  # noqa: S603 -- ours, or asked for
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in {0, 1, 4}:
        raise SystemExit(f"{words[0]} ended with {process.returncode}: run it by hand to see why")
    wall_s = time.perf_counter() - begun
    return Run(wall_s, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def measure(case: Case, runs: int, measured: Measured) -> str:
    """Measure a search: the first run with every cache empty, then the median of some."""
    with tempfile.TemporaryDirectory() as cache:
        # Python keeps the code of modules as well, wherever it does so here
        environment = {
            "NOMADSPEC_CACHE": cache,
            "PYTHONPYCACHEPREFIX": cache,
            "PYTHONDONTWRITEBYTECODE": "",
        }
        first = run(case.words(), environment)
        later = [run(case.words(), environment) for _ in range(runs)]
    wall, cpu = statistics.median(one.wall_s for one in later), statistics.median(one.cpu_s for one in later)
    peak = max(one.peak_mib for one in later)
    measured.wall_s[case.name] = wall
    return f"| {case.name} | {wall:.2f} | {cpu:.2f} | {first.wall_s - wall:+.2f} | {peak:,.0f} | |"


def measure_peer(peer: Peer, runs: int, measured: Measured) -> str:
    """Measure another tool, beside the same search of ours."""
    found = [run(peer.command, {}, peer.folder) for _ in range(runs)]
    wall, cpu = statistics.median(one.wall_s for one in found), statistics.median(one.cpu_s for one in found)
    ours = measured.wall_s.get(peer.beside)
    ratio = "" if ours is None else f"{wall / ours:.1f} times {peer.beside}"
    return f"| {peer.name} | {wall:.2f} | {cpu:.2f} | | {max(one.peak_mib for one in found):,.0f} | {ratio} |"


def measure_growth(runs: int) -> list[str]:
    """Measure what a world takes, in time and memory, as there are more of them."""
    bounded = find_model("core").at("full", profile="nomad-2.0")
    task = make_task(bounded, INVARIANT_NAMES, "none", stops_at_first=True)
    world_bytes = 8 * -(-task.layout.bits // 64)
    spent = [measure_pace(task) for _ in range(runs)]
    peaks_mib = [measure_peak_mib(states) for states in (SMALL, *POINTS)]
    return [
        f"| {PLAIN} | {states:,} | {1e9 * statistics.median(one[states] for one in spent) / states:,.0f} "
        f"| {(peak_mib - peaks_mib[0]) * MIB / (states - SMALL) - world_bytes:,.1f} |"
        for states, peak_mib in zip(POINTS, peaks_mib[1:], strict=True)
    ]


def measure_pace(task: Task) -> dict[int, float]:
    """Measure how many processor seconds a search took when so many worlds were stored."""
    search = compile_search(task, Search(task).explored)
    if isinstance(search, str):
        raise SystemExit(search)
    spent = {}
    begun = time.process_time()
    for states in POINTS:
        while len(search.explored.worlds) < states:
            search.expand(1, states)
        spent[states] = time.process_time() - begun
    return spent


def measure_peak_mib(states: int) -> float:
    """Measure how much memory a process holds that stores so many worlds."""
    case = Case("", "core", ("--scope", "full", *INVARIANTS, "--states", str(states)))
    return run(case.words(), {}).peak_mib


def list_peers(chosen: argparse.Namespace) -> list[Peer]:
    """List the peers that were named."""
    peers = []
    if chosen.stateright:
        binary = str(chosen.stateright)
        peers.append(Peer("Stateright, bfs, 2 threads", PLAIN, [binary, "bfs", "2", "2"]))
        peers.append(Peer("Stateright, dfs, 2 threads", PLAIN, [binary, "dfs", "2", "2"]))
        peers.append(Peer("Stateright, dfs, symmetry, 2 threads", ORBITS, [binary, "dfs-sym", "2", "2"]))
    if chosen.spin:
        peers.append(Peer("SPIN, full states", PLAIN, [str(chosen.spin), "-m100000", "-w25"]))
    if chosen.python:
        peers.append(Peer("Python, tables by hand", PLAIN, [sys.executable, str(chosen.python), "2"]))
    if chosen.tlc:
        java = [
            "java",
            "-XX:+UseParallelGC",
            "-cp",
            str(chosen.tlc),
            "tlc2.TLC",
            "-deadlock",
            "-workers",
            "2",
        ]
        for name, beside, config in (("TLC", PLAIN, "Core.cfg"), ("TLC, symmetry", ORBITS, "CoreSym.cfg")):
            module = config.replace(".cfg", ".tla")
            peers.append(Peer(name, beside, [*java, "-config", config, module], chosen.tlc_models))
    return peers


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=RUNS, help="of which the median is shown")
    parser.add_argument("--peer-runs", type=int, default=1, help="the same for other tools, which take long")
    parser.add_argument("--only", default="", metavar="TEXT", help="only searches whose name has this text")
    parser.add_argument("--stateright", type=Path, metavar="BINARY", help="the port to Stateright, built")
    parser.add_argument(
        "--spin", type=Path, metavar="BINARY", help="the port to SPIN, compiled without -DBFS"
    )
    parser.add_argument("--python", type=Path, metavar="FILE", help="the port to plain Python")
    parser.add_argument("--tlc", type=Path, metavar="JAR", help="tla2tools.jar")
    parser.add_argument(
        "--tlc-models", type=Path, metavar="FOLDER", help="where Core.tla and CoreSym.tla are"
    )
    chosen = parser.parse_args()
    measured = Measured()
    print("| search | seconds | of processors | first run | MiB | ratio |\n|---|---|---|---|---|---|")
    for case in CASES:
        if chosen.only in case.name:
            print(measure(case, chosen.runs, measured), flush=True)
    for peer in list_peers(chosen):
        print(measure_peer(peer, chosen.peer_runs, measured), flush=True)
    if chosen.only in PLAIN:
        print("\n| search | worlds | processor ns a world | bytes a world beyond itself |")
        print("|---|---|---|---|")
        print("\n".join(measure_growth(chosen.runs)))


if __name__ == "__main__":
    main()
