"""How fast scopes are explored: processes as users start them, with and without caches, and peers beside."""

import argparse
import os
import resource
import shlex
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from nomadspec.checkers.explore import explore
from nomadspec.checkers.explore.task import make_task
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.property import Kind

RUNS = 5
QUIET = subprocess.DEVNULL
POINTS = (100_000, 1_000_000, 10_000_000)
ENTRY = "import sys; from nomadspec.checkers.cli.main import main; sys.argv[0] = 'nomadspec'; main()"
TIMES = "explore --json --model {model} --scope {scope} --reduction {reduction}"


@dataclass(frozen=True)
class Case:
    """A search, with the sizes that differ from its scope's."""

    model: str
    scope: str
    reduction: str = "none"
    sizes: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Name it for the table."""
        return " ".join([self.model, self.scope, *self.sizes, self.reduction])

    def words(self) -> list[str]:
        """Write the command."""
        words = TIMES.format(model=self.model, scope=self.scope, reduction=self.reduction).split()
        return [
            sys.executable,
            "-c",
            ENTRY,
            *words,
            *(word for size in self.sizes for word in ("--set", size)),
        ]


CASES = (
    Case("core", "full"),
    Case("core", "full", "symmetry"),
    Case("2pc", "full", sizes=("rms=9",)),
    Case("2pc", "full", "symmetry"),
    Case("2pc", "full", "symmetry", ("rms=14",)),
    Case("kernel", "failed-entry"),
)


@dataclass(frozen=True)
class Run:
    """What one process took."""

    wall_s: float
    cpu_s: float
    peak_mib: float


def run(words: Sequence[str], environment: Mapping[str, str]) -> Run:
    """Start a process and wait for it."""
    begun = time.perf_counter()
    given = {**os.environ, **environment}
    with subprocess.Popen(words, stdout=QUIET, stderr=QUIET, env=given) as process:  # noqa: S603 -- ours, or asked for
        _, _, usage = os.wait4(process.pid, 0)
        process.returncode = 0
    wall_s = time.perf_counter() - begun
    return Run(wall_s, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def measure(case: Case, runs: int) -> str:
    """Measure a search: the first run with every cache empty, then the median of some."""
    with tempfile.TemporaryDirectory() as cache:
        environment = {"NOMADSPEC_CACHE": cache}
        first = run(case.words(), environment)
        later = [run(case.words(), environment) for _ in range(runs)]
    wall, cpu = statistics.median(one.wall_s for one in later), statistics.median(one.cpu_s for one in later)
    peak = max(one.peak_mib for one in later)
    return f"| {case.name} | {wall:.2f} | {cpu:.2f} | {first.wall_s - wall:+.2f} | {peak:,.0f} |"


def measure_growth(case: Case) -> list[str]:
    """Measure how the time for a world and its memory grow with the number of worlds."""
    sizes = {name: int(value) for name, value in (size.split("=") for size in case.sizes)}
    bounded = find_model(case.model).at(case.scope, sizes=sizes)
    asked = [prop.name for prop in bounded.model.properties if prop.kind is not Kind.EVENTUALLY]
    world_bytes = 8 * -(-make_task(bounded, [], "none", stops_at_first=True).layout.bits // 64)
    rows = []
    explore(bounded, properties=asked, max_states=POINTS[0])
    for states in POINTS:
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        report = explore(bounded, properties=asked, max_states=states)
        grown = 1024 * (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
        beyond = grown / report.distinct - world_bytes
        time_ns = 1e9 * report.seconds / report.distinct
        rows.append(f"| {case.name} | {report.distinct:,} | {time_ns:,.0f} | {beyond:,.0f} |")
    return rows


def measure_peers(commands: Sequence[str]) -> list[str]:
    """Measure other tools on the same scope, given the commands that start them."""
    rows = []
    for command in commands:
        name, _, line = command.partition("=")
        found = run(shlex.split(line), {})
        rows.append(f"| {name} | {found.wall_s:.2f} | {found.cpu_s:.2f} | | {found.peak_mib:,.0f} |")
    return rows


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=RUNS, help="of which the median is shown")
    parser.add_argument("--peer", action="append", default=[], metavar="NAME=COMMAND", help="another tool")
    parser.add_argument("--only", default="", metavar="TEXT", help="only searches whose name has this text")
    chosen = parser.parse_args()
    print("| search | seconds | of processors | first run | MiB |\n|---|---|---|---|---|")
    for case in CASES:
        if chosen.only in case.name:
            print(measure(case, chosen.runs), flush=True)
    print("\n".join(measure_peers(chosen.peer)))
    print("| search | worlds | ns a world | bytes a world beyond itself |\n|---|---|---|---|")
    if chosen.only in CASES[0].name:
        print("\n".join(measure_growth(CASES[0])))


if __name__ == "__main__":
    main()
