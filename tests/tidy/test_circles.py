"""No module imports what imports it: what is read first is then known, and so is what a change can break."""

import graphlib
import re
from collections.abc import Iterator, Mapping

import pytest

from tests.tidy.source import list_sources

Imports = Mapping[str, set[str]]

MUTUAL = {frozenset({"conform", "report"}), frozenset({"diagrams", "report"})}
"""Parts of the checkers that lend each other words and tables: reports are of these, which say things too."""

_FOR_TYPES = re.compile(r"^( *)if TYPE_CHECKING:\n(?:(?:\1 +.*)?\n)+", re.MULTILINE)
_IMPORT = re.compile(r"^ *from (nomadspec[\w.]*) import (\([^)]*\)|[^\n]*)", re.MULTILINE)


def read_imports() -> dict[str, set[str]]:
    """Read which module imports which when it runs, in functions too; types alone need no order."""
    texts = {name_module(each.path): each.text for each in list_sources("model", "invariants", "checkers")}
    return {name: set(list_imported(text, texts)) for name, text in texts.items()}


def name_module(path: str) -> str:
    """Give the name under which a file is imported."""
    return f"nomadspec.{path.removesuffix('.py').removesuffix('/__init__').replace('/', '.')}"


def list_imported(text: str, known: Mapping[str, object]) -> Iterator[str]:
    """List the modules that a text imports; a module of a package is imported, rather than the package."""
    for found in _IMPORT.finditer(_FOR_TYPES.sub("", text)):
        for name in re.findall(r"\w+", re.sub(r" as \w+|#.*", "", found[2])):
            inner = f"{found[1]}.{name}"
            yield inner if inner in known else found[1]


def find_circle(imports: Imports) -> list[str]:
    """Find modules of which each imports the one before."""
    try:
        graphlib.TopologicalSorter(imports).prepare()
    except graphlib.CycleError as error:
        circle: list[str] = error.args[1]
        return circle
    return []


def list_mutual(imports: Imports, parent: str) -> set[frozenset[str]]:
    """List the parts of a package that import each other."""
    inside = f"{parent}."
    pairs = {
        (name.removeprefix(inside).partition(".")[0], other.removeprefix(inside).partition(".")[0])
        for name, others in imports.items()
        for other in others
        if name.startswith(inside) and other.startswith(inside)
    }
    return {frozenset(pair) for pair in pairs if pair[0] != pair[1] and pair[::-1] in pairs}


def test_no_module_and_no_part_imports_what_imports_it() -> None:
    imports = read_imports()

    assert len(imports) > 1000
    assert [] == find_circle(imports)
    assert MUTUAL == list_mutual(imports, "nomadspec.checkers")
    for parent in ("nomadspec.model", "nomadspec.model.cluster", "nomadspec.invariants"):
        assert set() == list_mutual(imports, parent)


def test_what_is_imported_is_read() -> None:
    text = (
        "from nomadspec.a import (\n    b as c,  # why\n    Thing,\n)\n"
        "if TYPE_CHECKING:\n    from nomadspec.d import e\n\n"
        "def run():\n    from nomadspec.f import g\n"
    )

    assert ["nomadspec.a.b", "nomadspec.a", "nomadspec.f"] == list(list_imported(text, {"nomadspec.a.b": 1}))


@pytest.mark.parametrize(
    ("imports", "circle"), [({"a": {"b"}, "b": {"c"}, "c": {"a"}}, {"a", "b", "c"}), ({"a": {"b"}}, set())]
)
def test_a_circle_is_found(imports: Imports, circle: set[str]) -> None:
    assert circle == set(find_circle(imports))


def test_parts_that_import_each_other_are_found() -> None:
    imports = {"x.a.one": {"x.b.two"}, "x.b.three": {"x.a.four"}, "x.c": {"x.a.one"}}

    assert {frozenset("ab")} == list_mutual(imports, "x")
