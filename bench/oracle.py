"""How fast recordings of small clusters are judged: entries, events and decisions a second of a processor."""

import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Final

from nomadspec.checkers.oracle.context import Context
from nomadspec.checkers.oracle.explain.acts import compare_acts
from nomadspec.checkers.oracle.explain.cluster_properties import list_broken
from nomadspec.checkers.oracle.explain.decisions import list_decisions
from nomadspec.checkers.oracle.explain.outcomes import explain_outcome
from nomadspec.checkers.oracle.reading import find_file
from nomadspec.checkers.oracle.trace_asks import compare_asks
from nomadspec.checkers.oracle.trace_decisions import compare_decisions
from nomadspec.checkers.oracle.trace_log import read_log
from nomadspec.checkers.oracle.trace_plans import compare_plans
from nomadspec.checkers.oracle.trace_replay import Replay, read_run_clock, replay_log
from nomadspec.checkers.oracle.trace_stream import End, compare_stream, guess_subscriptions, read_batch
from nomadspec.model.specification.profiles import NOMAD_2_0

TRACES: Final = Path(__file__).parents[1] / "tests" / "recordings" / "traces"
ROUNDS: Final = 3
CONTENDED: Final = "burst"
"""What begins the names of recordings in which many plans are made on old states: those are no small ones."""


def measure(name: str, amount: int, what: str, work: Callable[[], object]) -> None:
    """Print how much is done in a second, of several rounds the best."""
    best = min(take_time(work) for _ in range(ROUNDS))
    print(f"{amount / best:10,.0f} {what} a second  {name}")


def take_time(work: Callable[[], object]) -> float:
    """Measure the processor's time for a piece of work."""
    started = time.process_time()
    work()
    return time.process_time() - started


def use_up(found: Iterable[object]) -> None:
    """Ask for all that something finds."""
    for _ in found:
        pass


def compare_events(folder: Path, replay: Replay) -> tuple[Callable[[], object], int]:
    """Prepare the comparison of a stream that was read already; return it with how many events there are."""
    path = find_file(folder, "events.ndjson")
    subscriptions = guess_subscriptions(path) if path is not None else ()
    lines = [read_batch(line) for each in subscriptions for line in each.lines]
    last = replay.steps[-1].typed.entry.index
    end = End(last, last, is_told=False)
    events = sum(len(line.events) for line in lines if line is not None)
    return lambda: use_up(compare_stream(subscriptions, replay, end, Context(NOMAD_2_0), {})), events


def main() -> None:
    """Judge all recordings of small clusters, part by part."""
    folders = [each for each in sorted(TRACES.iterdir()) if not each.name.startswith(CONTENDED)]
    logs = [tuple(read_log(folder, Context(NOMAD_2_0))) for folder in folders]
    replays = [replay_log(log, NOMAD_2_0, read_run_clock) for log in logs]
    entries = sum(map(len, logs))

    def ask(compare: Callable[[Replay], Iterable[object]]) -> Callable[[], None]:
        return lambda: use_up(found for replay in replays for found in compare(replay))

    def apply_all() -> Sequence[Replay]:
        return [replay_log(log, NOMAD_2_0, read_run_clock) for log in logs]

    streams = [compare_events(*pair) for pair in zip(folders, replays, strict=True)]
    decided = [(replay, each) for replay in replays for each in list_decisions(replay)]
    measure("applied", entries, "entries", apply_all)
    events = sum(amount for _, amount in streams)
    measure("compared with what was applied", events, "events", lambda: [work() for work, _ in streams])
    for name, compare in (
        ("asked why they were written", lambda it: compare_decisions(it, NOMAD_2_0)),
        ("compared with what clients and the leader may do", lambda it: compare_acts(it, Context(NOMAD_2_0))),
        ("compared with what their jobs ask for", compare_asks),
        ("let through again, as far as they hold plans", lambda it: compare_plans(it, Context(NOMAD_2_0))),
        ("asked what they break", lambda it: list_broken(it, NOMAD_2_0)),
    ):
        measure(name, entries, "entries", ask(compare))
    measure(
        "made again",
        len(decided),
        "decisions",
        lambda: [explain_outcome(replay, each, NOMAD_2_0) for replay, each in decided],
    )


if __name__ == "__main__":
    main()
