"""No module imports what imports it: what is read first is then known, and so is what a change can break."""

import re
from collections.abc import Iterator, Mapping

import networkx as nx
import pytest

from tests.tidy.source import PACKAGES, ROOT, list_sources

Imports = Mapping[str, set[str]]

PARENTS = (
    "nomadspec",
    "nomadspec.model",
    "nomadspec.model.cluster",
    "nomadspec.invariants",
    "nomadspec.checkers",
)
"""The packages of which no part imports what imports it."""

LANGUAGE = "nomadspec.model.language"

_FOR_TYPES = re.compile(r"^( *)if TYPE_CHECKING:\n(?:(?:\1 +.*)?\n)+", re.MULTILINE)
_IMPORT = re.compile(r"^ *from (nomadspec[\w.]*) import (\([^)]*\)|[^\n]*)", re.MULTILINE)


def read_texts() -> dict[str, str]:
    """Read the modules, each under the name by which it is imported."""
    return {name_module(each.path): each.text for each in list_sources(*PACKAGES)}


def read_imports(texts: Mapping[str, str]) -> dict[str, set[str]]:
    """Read which module imports which, in functions too."""
    return {name: set(list_imported(text, texts)) for name, text in texts.items()}


def leave_out_types(text: str) -> str:
    """Leave out what is imported for types alone."""
    return _FOR_TYPES.sub("", text)


def name_module(path: str) -> str:
    """Give the name under which a file is imported."""
    inside = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    return inside if inside.partition(".")[0] == "nomadspec" else f"nomadspec.{inside}"


def list_imported(text: str, known: Mapping[str, object]) -> Iterator[str]:
    """List the modules that a text imports; a module of a package is imported, rather than the package."""
    for found in _IMPORT.finditer(text):
        for name in re.findall(r"\w+", re.sub(r" as \w+|#.*", "", found[2])):
            inner = f"{found[1]}.{name}"
            yield inner if inner in known else found[1]


def list_circles(imports: Imports) -> list[set[str]]:
    """List the modules that import each other, if only by way of others."""
    graph: nx.DiGraph[str] = nx.DiGraph((name, other) for name, others in imports.items() for other in others)
    return [circle for circle in nx.strongly_connected_components(graph) if len(circle) > 1]


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


def list_in_order(page: str) -> list[str]:
    """List the modules of the language as its page has them in a table, each after those that it imports."""
    section = page.partition("\n## Which file knows which\n")[2].partition("\n## ")[0]
    rows = [line.split("|")[2] for line in section.splitlines() if line.startswith("|")]
    return [name for row in rows for name in re.findall(r"`(\w+)`", row)]


def list_back_arrows(imports: Imports, parent: str, order: list[str]) -> list[str]:
    """List what modules of a package import that does not come before them in an order."""
    place = {f"{parent}.{name}": at for at, name in enumerate(order)}
    return [
        f"{name} imports {other}"
        for name in place
        for other in sorted(imports[name])
        if other.startswith(f"{parent}.") and place[other] >= place[name]
    ]


def test_no_module_imports_what_imports_it() -> None:
    imports = read_imports({name: leave_out_types(text) for name, text in read_texts().items()})

    assert len(imports) > 1000
    assert [] == list_circles(imports)


def test_no_part_imports_what_imports_it_for_types_either() -> None:
    imports = read_imports(read_texts())

    assert [] == list_circles(imports)
    for parent in PARENTS:
        assert set() == list_mutual(imports, parent)


def test_the_language_is_as_its_page_orders_it() -> None:
    order = list_in_order((ROOT / "docs/concepts/language.md").read_text())
    imports = read_imports(read_texts())
    inside = f"{LANGUAGE}."

    assert sorted(order) == sorted(name.removeprefix(inside) for name in imports if name.startswith(inside))
    assert [] == list_back_arrows(imports, LANGUAGE, order)


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("model/language/rule.py", "nomadspec.model.language.rule"),
        ("checkers/report/__init__.py", "nomadspec.checkers.report"),
        ("nomadspec/__init__.py", "nomadspec"),
        ("nomadspec/version.py", "nomadspec.version"),
    ],
)
def test_a_module_has_the_name_by_which_it_is_imported(path: str, name: str) -> None:
    assert name == name_module(path)


def test_what_is_imported_is_read() -> None:
    text = (
        "from nomadspec.a import (\n    b as c,  # why\n    Thing,\n)\n"
        "if TYPE_CHECKING:\n    from nomadspec.d import e\n\n"
        "def run():\n    from nomadspec.f import g\n"
    )
    known = {"nomadspec.a.b": 1}

    assert ["nomadspec.a.b", "nomadspec.a", "nomadspec.d", "nomadspec.f"] == list(list_imported(text, known))
    assert ["nomadspec.a.b", "nomadspec.a", "nomadspec.f"] == list(
        list_imported(leave_out_types(text), known)
    )


@pytest.mark.parametrize(
    ("imports", "circles"),
    [
        ({"a": {"b"}, "b": {"c"}, "c": {"a"}}, [{"a", "b", "c"}]),
        ({"a": {"b"}, "b": {"a", "c"}, "c": {"d"}, "d": {"c"}}, [{"a", "b"}, {"c", "d"}]),
        ({"a": {"b"}}, []),
    ],
)
def test_a_circle_is_found(imports: Imports, circles: list[set[str]]) -> None:
    assert circles == sorted(list_circles(imports), key=sorted)


def test_parts_that_import_each_other_are_found() -> None:
    imports = {"x.a.one": {"x.b.two"}, "x.b.three": {"x.a.four"}, "x.c": {"x.a.one"}}

    assert {frozenset("ab")} == list_mutual(imports, "x")


def test_a_back_arrow_is_found() -> None:
    imports = {"x.rule": {"x.world", "y.low"}, "x.world": {"x.rule"}, "x.model": {"x.rule"}}

    assert ["x.world imports x.rule"] == list_back_arrows(imports, "x", ["world", "rule", "model"])


def test_the_table_of_a_page_is_read() -> None:
    table = "| about | files |\n|---|---|\n| `t` | `a`, `b` |\n"
    page = f"\n## Which file knows which\n\n{table}\n## Next\n| x | `c` |\n"

    assert ["a", "b"] == list_in_order(page)
