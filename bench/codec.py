"""How fast allocations are read from JSON, with unknown members looked for."""

import gc
import time
from pathlib import Path

import msgspec

from nomadspec.checkers.oracle.reading import read_document, read_lines
from nomadspec.model.cluster.codec import read, write_json
from nomadspec.model.cluster.entities import Allocation

RECORDINGS = Path(__file__).parents[1] / "tests" / "recordings"
ROUNDS = 7
WANTED_MB_PER_S = 20


def list_answers() -> list[bytes]:
    """List full allocations with their jobs, as single reads answer them."""
    dumps = [read_document(folder / "final.json.xz") for folder in sorted((RECORDINGS / "traces").iterdir())]
    answers = [answer for dump in dumps for answer in dump["answers"]]
    return [pack(one["body"]) for one in answers if one["path"].startswith("/v1/allocation/")]


def list_snapshot() -> list[bytes]:
    """List the allocations of snapshots, as schedulers see them."""
    path = RECORDINGS / "scheduler" / "more-service-00.ndjson.xz"
    return [pack(alloc) for line in read_lines(path) for alloc in line.document["state"]["allocs"]]


def list_sparse() -> list[bytes]:
    """List allocations in the sparse form."""
    path = RECORDINGS / "components" / "plan-applier" / "plans.ndjson.xz"
    return [pack(alloc) for line in read_lines(path) for alloc in line.document["state"]["allocs"]]


def pack(raw: object) -> bytes:
    """Write an object as compact text."""
    return msgspec.json.encode(raw)


def measure(texts: list[bytes]) -> tuple[float, float]:
    """Read and write all texts some times; give the best speeds in megabytes a second of a processor."""
    megabytes = sum(map(len, texts)) / 1e6
    reading, writing = [], []
    for _ in range(ROUNDS):
        gc.collect()
        begin = time.process_time()
        allocs = [read(Allocation, msgspec.json.decode(text), []) for text in texts]
        middle = time.process_time()
        for alloc in allocs:
            write_json(alloc)
        reading.append(middle - begin)
        writing.append(time.process_time() - middle)
    return megabytes / min(reading), megabytes / min(writing)


def main() -> None:
    """Print a line for each kind of document."""
    print(f"{'allocations':12} {'number':>7} {'bytes':>7} {'read MB/s':>10} {'write MB/s':>11}")
    for name, texts in (
        ("answers", list_answers()),
        ("snapshots", list_snapshot()),
        ("sparse", list_sparse()),
    ):
        mean = sum(map(len, texts)) // len(texts)
        reading, writing = measure(texts)
        verdict = "" if reading >= WANTED_MB_PER_S else f"  less than the {WANTED_MB_PER_S} that are wanted"
        print(f"{name:12} {len(texts):7} {mean:7} {reading:10.1f} {writing:11.1f}{verdict}")


if __name__ == "__main__":
    main()
