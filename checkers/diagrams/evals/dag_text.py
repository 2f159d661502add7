"""A graph of evaluations as text and as data: how large it is, and the answers to what was asked of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from nomadspec.checkers.diagrams.evals.drawing import data_of, node_data
from nomadspec.checkers.diagrams.evals.queries import Link, Storm, list_cycles
from nomadspec.checkers.diagrams.evals.records import DagNode, EvalDag, NodeKind
from nomadspec.checkers.escaping import escape_line
from nomadspec.checkers.report.table import count_of, render_paragraph, render_table
from nomadspec.model.errors import EXIT_HOLDS, EXIT_VIOLATED

MOST_STORMS: Final = 20
"""So many causes are shown as text; the data holds all."""

_NAMES: Final = {
    NodeKind.EVAL: "evaluation",
    NodeKind.ALLOC: "allocation",
    NodeKind.DEPLOYMENT: "deployment",
    NodeKind.EVENT: "event",
}


@dataclass(frozen=True, slots=True)
class Why:
    """What was asked why it is there, and the answer: the way to it, and what ended it."""

    node: DagNode
    chain: Sequence[Link]
    ends: Sequence[Link]


@dataclass(frozen=True, slots=True)
class ToldDag:
    """A graph, whole and as it is shown, and what was asked of it."""

    file: str
    whole: EvalDag
    shown: EvalDag
    cycles: Sequence[Sequence[DagNode]]
    why: Why | None = None
    critical_path: Sequence[DagNode] | None = None
    storms: Sequence[Storm] | None = None

    @property
    def exit_code(self) -> int:
        """0 where chains of evaluations have an end, else 1."""
        return EXIT_VIOLATED if self.cycles else EXIT_HOLDS

    def data(self) -> dict[str, Any]:
        """Write it as an object: docs/reference/json/dag.json says what its fields mean."""
        asked: dict[str, Any] = {}
        if self.why is not None:
            asked["why"] = {"chain": _chain_data(self.why.chain), "ends": _chain_data(self.why.ends)}
        if self.critical_path is not None:
            asked["critical_path"] = [node_data(node) for node in self.critical_path]
        if self.storms is not None:
            asked["storms"] = [
                {
                    "origin": node_data(one.origin),
                    "direct": one.direct,
                    "evals": one.evals,
                    "no_ops": one.no_ops,
                }
                for one in self.storms
            ]
        return {
            "file": self.file,
            "verdict": "violated" if self.cycles else "holds",
            "cycles": [[node.id for node in circle] for circle in self.cycles],
            **data_of(self.shown),
            **asked,
        }

    def render(self) -> str:
        """Write it as text: the answers, or else how large the graph is."""
        parts = [escape_line(self.file), self._describe_size()]
        parts += [self._why(self.why)] if self.why else []
        parts += [_list_nodes("CRITICAL PATH", self.critical_path)] if self.critical_path is not None else []
        parts += [_render_storms(self.storms)] if self.storms is not None else []
        return "\n\n".join([*parts, self._verdict()])

    def _describe_size(self) -> str:
        kinds = Counter(node.kind for node in self.whole.nodes)
        sizes = ", ".join(count_of(kinds[kind], _NAMES[kind]) for kind in NodeKind)
        no_ops = sum(node.is_no_op for node in self.whole.nodes)
        nodes = f"{count_of(len(self.shown.nodes), 'node')} to be drawn"
        return render_paragraph(f"{sizes}; {count_of(no_ops, 'no-op')}; {nodes}")

    @staticmethod
    def _why(why: Why) -> str:
        rows = [_row(link.node, link.kind.value if link.kind else "") for link in why.chain]
        rows += [_row(link.node, f"{link.kind.value} it" if link.kind else "") for link in why.ends]
        head = f"WHY {escape_line(why.node.id)}"
        return f"{head}\n{render_table(('index', 'how', 'what', 'id'), rows, indent=2)}"

    def _verdict(self) -> str:
        if not self.cycles:
            return "HOLDS  no evaluation comes before itself"
        lines = [
            " -> ".join(escape_line(node.name) for node in [*circle, circle[0]]) for circle in self.cycles
        ]
        return "\n".join([f"VIOLATED  {count_of(len(lines), 'chain')} of evaluations with no end", *lines])


def tell(file: str, whole: EvalDag, shown: EvalDag) -> ToldDag:
    """Tell of a graph, with no question asked yet."""
    return ToldDag(file, whole, shown, list_cycles(whole))


def _row(node: DagNode, how: str) -> tuple[str, str, str, str]:
    name = "" if node.kind == NodeKind.EVENT else escape_line(node.name)
    kind = "" if node.kind == NodeKind.EVENT else f"{_NAMES[node.kind]} "
    return str(node.index), how, kind + escape_line(" ".join(node.label)), name


def _list_nodes(head: str, nodes: Sequence[DagNode]) -> str:
    evals = count_of(sum(node.kind == NodeKind.EVAL for node in nodes), "evaluation")
    rows = [_row(node, "") for node in nodes]
    table = render_table(("index", "what", "id"), [(index, *rest) for index, _, *rest in rows], indent=2)
    return f"{head}  {evals}\n{table}"


def _render_storms(storms: Sequence[Storm]) -> str:
    rows = [
        (
            str(one.evals),
            str(one.direct),
            str(one.no_ops),
            str(one.origin.index),
            escape_line(" ".join(one.origin.label)),
        )
        for one in storms[:MOST_STORMS]
    ]
    table = render_table(("evals", "at once", "no-ops", "index", "cause"), rows, indent=2)
    more = len(storms) - MOST_STORMS
    return f"STORMS\n{table}" + (f"\n  and {count_of(more, 'cause')} more" if more > 0 else "")


def _chain_data(chain: Sequence[Link]) -> list[dict[str, object]]:
    return [{"how": link.kind.value if link.kind else None, "node": node_data(link.node)} for link in chain]
