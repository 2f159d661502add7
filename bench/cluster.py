"""Measure a whole cluster at size: nodes fail in turn and return, and everything is placed anew.

    python bench/cluster.py --nodes 1000 --allocs 10000

Prints one JSON object: log entries and acts per second of the processor, the most memory, and a digest of the
end, which is the same in each run of the same options.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import resource
import time
from typing import Any

import msgspec

from nomadspec.checkers.scenario.language import parse_lines
from nomadspec.checkers.scenario.play import play_lines
from nomadspec.model.cluster.store.state import State
from nomadspec.model.specification.profiles import NOMAD_2_0

ALLOCS_OF_JOB = 100


def write_scenario(nodes: int, allocs: int, failures: int) -> tuple[str, str]:
    """Write what sets the cluster up, and the failures that follow."""
    count = min(ALLOCS_OF_JOB, allocs)
    begin = [f"cluster {nodes} nodes cpu 8000 memory 16000 workers 4"]
    begin += [f"register web-{number} count {count} cpu 100 memory 100" for number in range(allocs // count)]
    fail = []
    for number in range(1, failures + 1):
        fail += [f"node-{number} misses heartbeats", "wait 30s", f"node-{number} returns", "wait 5s"]
    return "\n".join([*begin, "wait 30s"]), "\n".join(fail)


def digest(state: State) -> str:
    """Write what there is at the end in a few characters."""
    rows = [
        (one.id, one.status, one.create_index, one.modify_index)
        for one in sorted(state.evals.values(), key=lambda one: one.id)
    ]
    allocs = [
        (one.id, one.node_id, one.client_status, one.desired_status, one.modify_index)
        for one in sorted(state.allocs.values(), key=lambda one: one.id)
    ]
    return hashlib.sha256(msgspec.json.encode((rows, allocs))).hexdigest()[:16]


def measure(nodes: int, allocs: int, failures: int) -> dict[str, Any]:
    """Play it, and measure each half."""
    first, then = write_scenario(nodes, allocs, failures)
    begun = time.process_time()
    run = play_lines(parse_lines(first, "begin"), NOMAD_2_0)
    placed = time.process_time()
    index, acts = run.world.state.latest_index, len(run.events)
    run = play_lines(parse_lines(then, "failures"), NOMAD_2_0, run=run)
    ended = time.process_time()
    entries = run.world.state.latest_index - index
    return {
        "nodes": nodes,
        "allocs": allocs,
        "failures": failures,
        "seconds_to_place": round(placed - begun, 2),
        "entries_to_place": index,
        "entries_per_second_to_place": round(index / (placed - begun)),
        "seconds_of_failures": round(ended - placed, 2),
        "entries": entries,
        "entries_per_second": round(entries / (ended - placed)),
        "acts_per_second": round((len(run.events) - acts) / (ended - placed)),
        "memory_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
        "digest": digest(run.world.state),
    }


def main() -> None:
    """Read the options and print what was measured."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nodes", type=int, default=1000)
    parser.add_argument("--allocs", type=int, default=10_000)
    parser.add_argument("--failures", type=int, default=20)
    given = parser.parse_args()
    print(json.dumps(measure(given.nodes, given.allocs, given.failures)))


if __name__ == "__main__":
    main()
