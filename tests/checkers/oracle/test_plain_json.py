"""JSON knows one kind of numbers."""

from nomadspec.checkers.oracle.plain_json import make_plain, write_plain
from nomadspec.model.cluster.entities import Task


def test_whole_numbers_are_spelled_as_such_at_any_depth() -> None:
    assert {"a": [1, 1.5, {"b": 2}], "c": True} == make_plain({"a": (1.0, 1.5, {"b": 2.0}), "c": True})


def test_objects_are_written_sparsely() -> None:
    written = write_plain(Task(name="t", config={"exit_code": 1.0}))

    assert {"Name": "t", "Config": {"exit_code": 1}} == written
    assert isinstance(written["Config"]["exit_code"], int)
