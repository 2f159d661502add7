"""``python3 run.py fuzz``: feed damaged inputs to everything that reads, and count what comes of it.

The same seed makes the same inputs. They are fed in batches, each in a process of its own, so that one that
ends the process (or fills the memory that it may have) is a finding like any other.
"""

from __future__ import annotations

import argparse
import base64
import json
import sys
import tempfile
import warnings
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from tests.fuzz.batches import Asked, Report, feed_batches

_WIDTH: Final = 14


def main(arguments: Sequence[str]) -> int:
    """Run the fuzzer; 0 where nothing was found, 1 where something was."""
    parser = argparse.ArgumentParser(prog="run.py fuzz", description=__doc__)
    parser.add_argument("--for", dest="seconds", type=float, default=60.0, help="so long, in seconds")
    parser.add_argument("--seed", type=int, default=0, help="what the inputs depend on")
    parser.add_argument("--count", type=int, help="so many inputs instead of so long")
    parser.add_argument("--first", type=int, default=0, help="begin with this input, so that runs go on")
    parser.add_argument("--only", help="feed this target alone")
    parser.add_argument("--workers", type=int, default=1, help="feed in so many processes at once")
    parser.add_argument("--out", type=Path, default=Path("fuzz-findings"), help="where failing inputs go")
    parser.add_argument("--replay", type=Path, help="feed the input of this file again")
    words = parser.parse_args(arguments)
    warnings.simplefilter("ignore")
    if words.replay:
        return _replay(words.replay)
    end = None if words.count is None else words.first + words.count
    asked = Asked(words.seed, words.first, end, words.seconds, max(1, words.workers), words.only)
    return _run(asked, words.out)


def _run(asked: Asked, out: Path) -> int:
    report = Report()
    known: set[str] = set()

    def show() -> None:
        told = f"\r{sum(report.counted.values()):,} inputs, {len(report.findings)} sites"
        sys.stderr.write(told + "".join(f"\n  {site}" for site in sorted(report.findings.keys() - known)))
        sys.stderr.flush()
        known.update(report.findings)

    with suppress(KeyboardInterrupt):  # what was found so far is told
        feed_batches(asked, report, show)
    sys.stderr.write("\n")
    _tell(report, asked.seed, out)
    return 1 if report.findings else 0


def _tell(report: Report, seed: int, out: Path) -> None:
    _say(f"seed {seed}: {sum(report.counted.values()):,} inputs")
    for outcome in ("answered", "crash", "hang", "wrong verdict"):
        _say(f"  {outcome:<{_WIDTH}} {report.counted[outcome]:>10,}")
    for target, number in sorted(report.by_target.items()):
        _say(f"    {target:<30} {number:>10,}")
    for site, one in report.findings.items():
        out.mkdir(parents=True, exist_ok=True)
        path = out / f"{seed}-{one['number']}.json"
        path.write_text(json.dumps(one))
        _say(f"{site}, {one['times']:,} times, first in input {one['number']}")
        _say(f"  again  python3 run.py fuzz --replay {path}")


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")


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
