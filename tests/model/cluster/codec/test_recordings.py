"""All objects of the recordings are known in full, and nothing of them is lost."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from nomadspec.checkers.oracle.reading import read_lines
from nomadspec.model.cluster.codec import Dialect, read, write, write_dense
from tests.model.cluster.codec.objects import (
    COMPONENTS,
    SCHEDULER,
    Found,
    drop_zeros,
    fill_in_times,
    list_found,
    list_trace_objects,
)
from tests.recorded import FOLDER, list_traces, read_recordings

SCHEDULER_FILES = sorted((FOLDER / "scheduler").glob("*.ndjson.xz"))
FEW = 12
"""So many recordings of a file say enough for every day."""


def assert_sparse_objects_come_back(found: Iterable[Found]) -> None:
    """Assert that what is written is what was read, to the letter."""
    count = 0
    for record, raw, _ in found:
        unknown: list[str] = []
        count += 1

        assert raw == write(read(record, raw, unknown))
        assert not unknown
    assert count


def assert_dense_objects_keep_their_values(found: Iterable[Found]) -> None:
    """Assert that all that is not zero is kept, and that both ways of writing say the same."""
    count = 0
    for record, raw, dialect in found:
        unknown: list[str] = []
        entity = read(record, raw, unknown, dialect=dialect)
        count += 1

        assert [] == [path for path in unknown if not path.endswith("JobRef")]
        assert drop_zeros(_unpack(raw)) == drop_zeros(_unpack(write(entity)))
        assert entity == read(record, write_dense(entity))
        assert write(entity) == write(read(record, write(entity)))
    assert count


def _unpack(value: Any) -> Any:
    """Leave out the members whose bytes the dialects spell differently; other tests are about them."""
    if isinstance(value, dict):
        packed = {"Hash", "Payload"} | ({"Nodes", "Distances"} if "Cores" in value else set())
        return {key: _unpack(inside) for key, inside in value.items() if key not in packed}
    return [_unpack(inside) for inside in value] if isinstance(value, list) else value


def _list_component_objects(name: str, every: int) -> Iterator[Found]:
    for document in read_recordings(name)[::every]:
        yield from list_found(fill_in_times(document), COMPONENTS[name])


def _list_scheduler_objects(path: Path, few: int | None) -> Iterator[Found]:
    for number, line in enumerate(read_lines(path)):
        if number == few:
            return
        yield from list_found(line.document, SCHEDULER)


@pytest.mark.parametrize("name", COMPONENTS)
def test_objects_of_components_come_back(name: str) -> None:
    """WIRE-003."""
    assert_sparse_objects_come_back(_list_component_objects(name, every=40 if "bases" not in name else 1))


@pytest.mark.deep
@pytest.mark.parametrize("name", COMPONENTS)
def test_all_objects_of_components_come_back(name: str) -> None:
    """WIRE-003."""
    assert_sparse_objects_come_back(_list_component_objects(name, every=1))


@pytest.mark.parametrize("path", SCHEDULER_FILES[::15], ids=lambda path: path.name)
def test_objects_of_the_scheduler_keep_their_values(path: Path) -> None:
    """WIRE-003, WIRE-005."""
    assert_dense_objects_keep_their_values(_list_scheduler_objects(path, FEW))


@pytest.mark.deep
@pytest.mark.parametrize("path", SCHEDULER_FILES, ids=lambda path: path.name)
def test_all_objects_of_the_scheduler_keep_their_values(path: Path) -> None:
    """WIRE-003, WIRE-005."""
    assert_dense_objects_keep_their_values(_list_scheduler_objects(path, None))


@pytest.mark.parametrize("folder", [list_traces()[0], list_traces()[-1]], ids=lambda folder: folder.name)
def test_objects_of_clusters_keep_their_values(folder: Path) -> None:
    """WIRE-003, WIRE-022, WIRE-102."""
    assert_dense_objects_keep_their_values(list_trace_objects(folder))


@pytest.mark.deep
@pytest.mark.parametrize("folder", list_traces(), ids=lambda folder: folder.name)
def test_all_objects_of_clusters_keep_their_values(folder: Path) -> None:
    """WIRE-003, WIRE-022, WIRE-102."""
    assert_dense_objects_keep_their_values(list_trace_objects(folder))


def test_the_dialects_are_among_the_recordings() -> None:
    dialects = {dialect for _, _, dialect in list_trace_objects(list_traces()[0])}

    assert set(Dialect) == dialects
