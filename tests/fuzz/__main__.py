"""``python3 run.py fuzz``: feed damaged inputs to everything that reads, and count what comes of it.

The same seed makes the same inputs. They are fed in batches, each in a process of its own, so that one that
ends the process (or fills the memory that it may have) is a finding like any other.
"""

from __future__ import annotations

import argparse
import base64
import json
import resource
import subprocess
import sys
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

_BATCH: Final = 20_000
_MEMORY_BYTES: Final = 4 << 30
"""So much address space a batch may have."""
_STARTUP_S: Final = 120.0
"""So long after its time a batch is ended from outside: nothing inside it answers."""
_WIDTH: Final = 14


@dataclass(slots=True)
class Report:
    """What came of all inputs: how often, and the first input of each site."""

    counted: Counter[str] = field(default_factory=Counter)
    by_target: Counter[str] = field(default_factory=Counter)
    findings: dict[str, dict[str, Any]] = field(default_factory=dict)

    def add(self, told: dict[str, Any]) -> None:
        """Add what a batch found."""
        self.counted.update(told["counted"])
        self.by_target.update(told["by_target"])
        for site, one in told["findings"].items():
            kept = self.findings.setdefault(site, {**one, "times": 0})
            kept["times"] += one["times"]


def main(arguments: Sequence[str]) -> int:
    """Run the fuzzer; 0 where nothing was found, 1 where something was."""
    parser = argparse.ArgumentParser(prog="run.py fuzz", description=__doc__)
    parser.add_argument("--for", dest="seconds", type=float, default=60.0, help="so long, in seconds")
    parser.add_argument("--seed", type=int, default=0, help="what the inputs depend on")
    parser.add_argument("--count", type=int, help="so many inputs instead of so long")
    parser.add_argument("--first", type=int, default=0, help="begin with this input, so that runs go on")
    parser.add_argument("--only", help="feed this target alone")
    parser.add_argument("--out", type=Path, default=Path("fuzz-findings"), help="where failing inputs go")
    parser.add_argument("--replay", type=Path, help="feed the input of this file again")
    parser.add_argument("--batch", nargs=2, type=int, help=argparse.SUPPRESS)
    asked = parser.parse_args(arguments)
    if asked.replay:
        return _replay(asked.replay)
    if asked.batch:
        return _run_batch(asked)
    return _run(asked)


# --- all batches ------------------------------------------------------------------------------------------


def _run(asked: argparse.Namespace) -> int:
    report = Report()
    with suppress(KeyboardInterrupt):  # what was found so far is told
        _feed_batches(asked, report)
    sys.stderr.write("\n")
    _tell(report, asked)
    return 1 if report.findings else 0


def _feed_batches(asked: argparse.Namespace, report: Report) -> None:
    began_s, first, end = time.monotonic(), asked.first, None
    if asked.count is not None:
        end = asked.first + asked.count
    while True:
        left_s = asked.seconds - (time.monotonic() - began_s)
        amount = _BATCH if end is None else min(_BATCH, end - first)
        if amount <= 0 or (end is None and left_s <= 0):
            return
        known = set(report.findings)
        report.add(_start_batch(asked, first, amount, None if end is not None else left_s))
        first += amount
        told = f"\r{sum(report.counted.values()):,} inputs, {len(report.findings)} sites"
        sys.stderr.write(told + "".join(f"\n  {site}" for site in sorted(report.findings.keys() - known)))
        sys.stderr.flush()


def _start_batch(asked: argparse.Namespace, first: int, amount: int, left_s: float | None) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as place:
        words = [
            sys.executable,
            "-m",
            "tests.fuzz",
            "--batch",
            str(first),
            str(amount),
            "--seed",
            str(asked.seed),
        ]
        words += ["--only", asked.only] if asked.only else []
        words += ["--for", str(left_s if left_s is not None else 10**9), "--out", place]
        limit_s = None if left_s is None else left_s + _STARTUP_S
        try:
            code = subprocess.run(words, check=False, timeout=limit_s).returncode
        except subprocess.TimeoutExpired:
            code = None
        told = Path(place) / "told.json"
        if code == 0 and told.exists():
            found: dict[str, Any] = json.loads(told.read_text())
            return found
        return _tell_dead(asked, Path(place), code)


def _tell_dead(asked: argparse.Namespace, place: Path, code: int | None) -> dict[str, Any]:
    """The process of a batch ended or did not answer: its last input is the finding."""
    from tests.fuzz.targets import make_input

    number = int((place / "number").read_text())
    given = make_input(asked.seed, number, asked.only)
    site = (
        f"hang: {given.target}" if code is None else f"crash: the process ended with {code} in {given.target}"
    )
    one = _write_down(given, number, site, given.content)
    return {"counted": {site.partition(":")[0]: 1}, "by_target": {given.target: 1}, "findings": {site: one}}


def _tell(report: Report, asked: argparse.Namespace) -> None:
    _say(f"seed {asked.seed}: {sum(report.counted.values()):,} inputs")
    for outcome in ("answered", "crash", "hang", "wrong verdict"):
        _say(f"  {outcome:<{_WIDTH}} {report.counted[outcome]:>10,}")
    for target, number in sorted(report.by_target.items()):
        _say(f"    {target:<30} {number:>10,}")
    for site, one in report.findings.items():
        asked.out.mkdir(parents=True, exist_ok=True)
        path = asked.out / f"{asked.seed}-{one['number']}.json"
        path.write_text(json.dumps(one))
        _say(f"{site}, {one['times']:,} times, first in input {one['number']}")
        _say(f"  again  python3 run.py fuzz --replay {path}")


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")


# --- one batch --------------------------------------------------------------------------------------------


def _run_batch(asked: argparse.Namespace) -> int:
    from tests.fuzz.minimise import minimise
    from tests.fuzz.targets import Input, feed, make_input

    warnings.simplefilter("ignore")
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY_BYTES, _MEMORY_BYTES))
    began_s, report, place = time.monotonic(), Report(), asked.out / "work"
    first, amount = asked.batch
    for number in range(first, first + amount):
        if time.monotonic() - began_s > asked.seconds:
            break
        (asked.out / "number").write_text(str(number))
        given = make_input(asked.seed, number, asked.only)
        told = feed(given, place)
        report.counted[told.outcome] += 1
        report.by_target[given.target] += 1
        if not told.is_finding:
            continue
        site = f"{told.outcome}: {told.site}"
        if site in report.findings:
            report.findings[site]["times"] += 1
            continue
        content = given.content
        if told.outcome == "crash":

            def still_fails(smaller: bytes, given: Input = given, told: Any = told) -> bool:
                return bool(feed(Input(given.target, smaller, given.is_corrupted), place) == told)

            content = minimise(given.content, still_fails)
        report.findings[site] = _write_down(given, number, site, content)
    found = {"counted": report.counted, "by_target": report.by_target, "findings": report.findings}
    (asked.out / "told.json").write_text(json.dumps(found))
    return 0


def _write_down(given: Any, number: int, site: str, content: bytes) -> dict[str, Any]:
    return {
        "number": number,
        "site": site,
        "target": given.target,
        "is_corrupted": given.is_corrupted,
        "content": base64.b64encode(content).decode(),
        "times": 1,
    }


def _replay(path: Path) -> int:
    from tests.fuzz.targets import Input, feed

    one = json.loads(path.read_text())
    content = base64.b64decode(one["content"])
    _say(f"{one['target']}, {len(content):,} bytes: {content[:400]!r}")
    with tempfile.TemporaryDirectory() as place:
        told = feed(Input(one["target"], content, one["is_corrupted"]), Path(place))
    _say(f"{told.outcome}: {told.site}" if told.is_finding else "answered: it is mended")
    return 1 if told.is_finding else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
