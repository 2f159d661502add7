"""The page about lifecycles, and the pictures on it, generated from the tables."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from xxhash import xxh3_128_hexdigest

from nomadspec.checkers.diagrams.comparison import build_comparison_graph
from nomadspec.checkers.diagrams.differences import Difference, Verdict, list_comparisons
from nomadspec.checkers.diagrams.dot import to_dot
from nomadspec.checkers.diagrams.graph import Graph
from nomadspec.checkers.diagrams.lifecycle import build_lifecycle_graph
from nomadspec.checkers.diagrams.mermaid import to_mermaid
from nomadspec.checkers.diagrams.picture import draw_picture
from nomadspec.checkers.diagrams.titles_at_foot import add_titles
from nomadspec.checkers.diagrams.upstream import DIAGRAMS, DrawnDiagram
from nomadspec.model.lifecycle.catalogue import LIFECYCLES
from nomadspec.model.lifecycle.table import ABSENT, ArrowKind, Lifecycle, Status, label_of, list_legal_pairs
from nomadspec.model.specification.profiles import INTENDED, NOMAD_2_0

PAGE: Final = "concepts/lifecycles.md"
PICTURES: Final = "diagrams"
PROFILE: Final = NOMAD_2_0
FRONT: Final = "evaluation-intended"
"""The picture on the front page."""

INTRODUCTION: Final = """\
# Lifecycles

<!-- Generated from model/lifecycle by checkers/diagrams/pages.py: change the tables, not this page. -->

Which status may follow which, and why. Each kind of object has a table of status changes; every other change
is illegal. The rules, the properties, the diagrams and this page use the same tables.

- **→** changes the status of an object. **⇢** creates another object with the status at its end;
  the object at its start stays as it is.
- A change with a **quirk** happens in the described release, but is not intended. Under the profile
  `intended` it is illegal; in the diagrams it is orange.
- *absent* is the status of an object that does not exist. The diagrams leave deletion out, unless it is a
  status.
- Keeping a status is always legal; a change from a status to itself is listed if a rule mentions it.
  One log entry may change an object several times, in sequence.
- The IDs are of rules of the specification. Their titles are [at the foot of this page](#titles-of-the-ids);
  on the site, point at an ID to see its title.

`nomadspec diagram NAME --format svg` draws any of them; `mermaid`, `dot` and `png` are the other formats.
"""


def generate_lifecycle_docs(docs: Path) -> tuple[Path, ...]:
    """Bring the page and its pictures up to date; return the files that were written.

    A picture is drawn again only if what it shows has changed: another Graphviz may draw
    it a little differently.
    """
    stale = find_stale_lifecycle_docs(docs)
    texts, graphs = _compute_texts(), _list_graphs()
    for path in stale:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix == ".svg":
            path.write_bytes(_draw(graphs[path.stem]))
        else:
            path.write_text(texts[path.relative_to(docs).as_posix()], encoding="utf-8")
    return stale


def find_stale_lifecycle_docs(docs: Path) -> tuple[Path, ...]:
    """Find the files that are missing or do not show what the tables say."""
    texts = [docs / name for name, text in _compute_texts().items() if _read(docs / name) != text]
    pictures = [
        path
        for name, graph in _list_graphs().items()
        if _mark(graph) not in _read(path := docs / PICTURES / f"{name}.svg")
    ]
    return tuple(sorted(texts + pictures))


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.exists() else ""


def _list_graphs() -> Mapping[str, Graph]:
    ours = {name: build_lifecycle_graph(lifecycle, PROFILE) for name, lifecycle in LIFECYCLES.items()}
    ours[FRONT] = build_lifecycle_graph(LIFECYCLES["evaluation"], INTENDED)
    return ours | {diagram.name: build_comparison_graph(diagram, PROFILE) for diagram in DIAGRAMS}


def _mark(graph: Graph) -> str:
    """Name the source of a picture, so that one can tell whether the picture is up to date."""
    return f"<!-- drawn from DOT text with the XXH3 digest {xxh3_128_hexdigest(to_dot(graph).encode())} -->"


def _draw(graph: Graph) -> bytes:
    svg = draw_picture(to_dot(graph), "svg").decode()
    return svg.replace("<svg ", f"{_mark(graph)}\n<svg ", 1).encode()


def _compute_texts() -> Mapping[str, str]:
    """Compute every text file, by its path below the documentation."""
    mermaid = {f"{PICTURES}/{name}.mmd": to_mermaid(graph) for name, graph in _list_graphs().items()}
    return {PAGE: add_titles("\n".join(_page()))} | mermaid


def _page() -> Iterable[str]:
    yield INTRODUCTION
    for lifecycle in LIFECYCLES.values():
        yield from _section(lifecycle)
    yield "## Upstream's own diagrams"
    yield ""
    yield (
        "Nomad's contributor documentation (`contributing/architecture-eval-states.md`) draws the "
        "evaluation twice by hand. Both drawings are repeated here with the arrows coloured by what the "
        "rules say of them, followed by every difference from our tables, found by comparing the two."
    )
    yield ""
    for diagram in DIAGRAMS:
        yield from _comparison(diagram)


def _section(lifecycle: Lifecycle) -> Iterable[str]:
    intended, shipped = (len(list_legal_pairs(lifecycle, profile)) for profile in (INTENDED, NOMAD_2_0))
    yield f"## {lifecycle.title}"
    yield ""
    yield f"`{lifecycle.name}`: {intended} changes of status as intended, {shipped} in `{NOMAD_2_0.name}`."
    yield ""
    yield from _picture(lifecycle.name, lifecycle.title)
    yield "| from | | to | why | rules | quirk |"
    yield "|---|---|---|---|---|---|"
    for arrow in lifecycle.arrows:
        triggers = f" ({_code(arrow.triggers)})" if arrow.triggers else ""
        quirk = f"`{arrow.quirk}`" if arrow.quirk else ""
        yield _row(
            *(_end(arrow.source), _symbol(arrow.kind), _end(arrow.target)),
            *(arrow.cause + triggers, ", ".join(arrow.spec), quirk),
        )
    yield ""
    for remark in lifecycle.remarks:
        yield f"- {remark.text} ({', '.join(remark.spec)})"
    yield ""


def _comparison(diagram: DrawnDiagram) -> Iterable[str]:
    compared = list_comparisons(diagram, PROFILE)
    yield f"### {diagram.title}"
    yield ""
    yield f"{len(diagram.arrows)} arrows: {_tally(compared)}. Ours, `{diagram.lifecycle.name}`, is below it."
    yield ""
    yield from _picture(diagram.name, diagram.title)
    yield from _picture(diagram.lifecycle.name, diagram.lifecycle.title)
    yield "| # | from | | to | what | verdict | why | rules |"
    yield "|---|---|---|---|---|---|---|---|"
    for one in compared:
        if one.verdict is not Verdict.AGREED:
            number = "" if one.number is None else str(one.number)
            source, target = label_of(one.source, "event"), label_of(one.target)
            yield _row(
                *(number, source, _symbol(one.kind), target, one.what),
                *(one.verdict.value, one.why, ", ".join(one.spec)),
            )
    yield ""


def _tally(compared: tuple[Difference, ...]) -> str:
    counts = {verdict: sum(one.verdict is verdict for one in compared) for verdict in Verdict}
    return "; ".join(f"{count} {verdict.value}" for verdict, count in counts.items() if count)


def _picture(name: str, title: str) -> Iterable[str]:
    path = f"../{PICTURES}/{name}"
    yield f"[![{title}]({path}.svg)]({path}.svg)"
    yield ""
    yield f"[Picture in full size]({path}.svg), [the same in Mermaid]({path}.mmd)"
    yield ""


def _end(status: Status) -> str:
    return "*absent*" if status is ABSENT else label_of(status)


def _symbol(kind: ArrowKind) -> str:
    return "⇢" if kind is ArrowKind.CREATION else "→"


def _code(words: Iterable[str]) -> str:
    return ", ".join(f"`{word}`" for word in words)


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"
