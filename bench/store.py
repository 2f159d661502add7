"""How fast log entries are applied on top of a store of ten thousand allocations."""

import gc
import json
import lzma
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from nomadspec.checkers.oracle.context import Context
from nomadspec.checkers.oracle.trace_log import read_log
from nomadspec.model.cluster.codec import read
from nomadspec.model.cluster.entities import Allocation, Job, Node, TaskGroup
from nomadspec.model.cluster.store import Entry, State, apply
from nomadspec.model.cluster.store.entries import find_request_type
from nomadspec.model.cluster.store.initial import make_initial_state
from nomadspec.model.specification.profiles import NOMAD_2_0

RECORDINGS = Path(__file__).parents[1] / "tests" / "recordings"
SEQUENCES = RECORDINGS / "components" / "state-store" / "sequences.ndjson.xz"
ALLOCS = 10_000
NODES = 1_000
ROUNDS = 10
NOW = '"NOW"'
SOME_TIME = '"2031-01-01T00:00:00Z"'


def make_base() -> State:
    """Make a store with a job of ten thousand allocations on a thousand nodes."""
    job = Job(id="base", namespace="default", node_pool="default", task_groups=(TaskGroup(name="g"),))
    initial = make_initial_state()
    return State.of(
        namespaces=initial.list_namespaces(),
        node_pools=initial.list_node_pools(),
        jobs=[job],
        nodes=[Node(id=f"node-{number}", status="ready") for number in range(NODES)],
        allocs=[
            Allocation(
                id=f"{number:036d}",
                namespace="default",
                job_id="base",
                job=job,
                node_id=f"node-{number % NODES}",
                eval_id=f"eval-{number // 10}",
                task_group="g",
                client_status="running",
                desired_status="run",
            )
            for number in range(ALLOCS)
        ],
    )


def read_logs() -> Iterator[list[Entry]]:
    """Read the logs of all recorded clusters and all recorded sequences."""
    for folder in sorted((RECORDINGS / "traces").iterdir()):
        yield [typed.entry for typed in read_log(folder, Context(NOMAD_2_0))]
    with lzma.open(SEQUENCES, "rt") as lines:
        for line in lines:
            entries = json.loads(line.replace(NOW, SOME_TIME))["entries"]
            yield [read_entry(each) for each in entries]


def read_entry(raw: Mapping[str, Any]) -> Entry:
    """Read an entry of a sequence."""
    return Entry(raw["index"], read(find_request_type(raw["type"]), raw["request"]))


def apply_all(base: State, logs: Sequence[Sequence[Entry]]) -> float:
    """Apply every log on top of the base; return how many entries that were in a second of processor time."""
    started = time.process_time()
    for log in logs:
        state = base
        for entry in log:
            state = apply(state, entry, profile=NOMAD_2_0).state
    return sum(map(len, logs)) / (time.process_time() - started)


def main() -> None:
    """Print entries a second, wanted: 20,000."""
    base, logs = make_base(), list(read_logs())
    gc.collect()
    gc.freeze()  # what was there before is no garbage of the run
    rates = sorted(apply_all(base, logs) for _ in range(ROUNDS))
    print(f"{sum(map(len, logs)):,} entries on top of {ALLOCS:,} allocations")
    print(f"median {rates[ROUNDS // 2]:,.0f} entries/s, best {rates[-1]:,.0f}")


if __name__ == "__main__":
    main()
