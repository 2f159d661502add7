"""How an implementation answered, as text and as data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from nomadspec.checkers.conform.conversation import Row, Said, Score
from nomadspec.checkers.conform.made_questions import Coverage
from nomadspec.checkers.conform.rules_asked import list_family_rules
from nomadspec.checkers.escaping import escape_line, write_json
from nomadspec.checkers.oracle.judgement import Difference
from nomadspec.checkers.report.judging import plain, shorten
from nomadspec.checkers.report.table import bad, count_of, good, open_, render_facts, render_table, strong
from nomadspec.checkers.report.titles import name_with_title
from nomadspec.checkers.verdict import Verdict
from nomadspec.model.specification.catalogue import list_titles

_COLUMNS: Final = (Said.AGREED, Said.DIFFERED, Said.FAILED, Said.UNSUPPORTED, Said.UNDECIDED)
_FURTHER: Final = 5
"""So many further differences of an answer are shown."""


@dataclass(frozen=True, slots=True)
class Conformed:
    """A conversation that is over."""

    name: str
    score: Score
    coverage: Coverage
    kept: Sequence[Path] = ()
    again: str = ""
    """The command that asks the same questions again."""
    seed: int | None = None
    shrunk: dict[str, Row] = field(default_factory=dict)
    """The smallest question of each kind that speaks against the program."""

    def data(self) -> dict[str, object]:
        """Give it as data."""
        score = self.score
        return {
            "verdict": score.verdict.value,
            "program": self.name,
            "seed": self.seed,
            "kinds": {
                kind: {"asked": sum(counts.values()), **{said.value: counts[said] for said in Said}}
                for kind, counts in score.counts.items()
            },
            "firsts": [_tell(self.shrunk.get(kind, row)) for kind, row in score.firsts.items()],
            "reasons": score.reasons,
            "rules": {
                family: {
                    "asked": len(asked),
                    "of": len(list_family_rules(family)),
                    "left": list(self.coverage.list_left(family)),
                }
                for family, asked in self.coverage.asked.items()
                if list_family_rules(family)
            },
            "passed_over": score.passed_over,
            "not_named": list(score.not_named),
            "unreadable": [
                {"file": error.file, "at": error.at, "problem": error.problem} for error in score.unreadable
            ],
            "kept": [str(path) for path in self.kept],
            "is_stopped": score.is_stopped,
            "again": self.again,
        }

    def render(self) -> str:
        """Write what is wrong, then a row for each kind, then the rules that were asked, then the sum."""
        parts = [describe_row(self.shrunk.get(kind, row)) for kind, row in self.score.firsts.items()]
        parts += [f"{bad('unreadable')} {escape_line(str(error))}" for error in self.score.unreadable]
        parts += [self._table()] if self.score.counts else []
        parts += [self._rules()] if any(map(list_family_rules, self.coverage.asked)) else []
        facts = [(f"{number:,} times", escape_line(reason)) for reason, number in self.score.reasons.items()]
        if self.score.passed_over:
            passed = count_of(self.score.passed_over, "recorded call")
            facts.append(("passed over", f"{passed} whose answers depend on what was chosen"))
        if self.score.not_named:
            facts.append(("not asked", f"{', '.join(self.score.not_named)}: the program does not name them"))
        facts += [("kept", escape_line(str(path))) for path in self.kept]
        facts += [("seed", str(self.seed))] if self.seed is not None else []
        commands = [("again", escape_line(self.again))] if self.again else []
        parts += [render_facts(facts, commands=commands)] if facts or commands else []
        return "\n\n".join([*parts, self._sentence()])

    def _table(self) -> str:
        rows = [
            (kind, f"{sum(counts.values()):,}", *(f"{counts[said]:,}" for said in _COLUMNS))
            for kind, counts in self.score.counts.items()
        ]
        return render_table(("questions", ">asked", *(f">{said.value}" for said in _COLUMNS)), rows)

    def _rules(self) -> str:
        rows = []
        for family, asked in self.coverage.asked.items():
            left, whole = self.coverage.list_left(family), list_family_rules(family)
            if whole:
                rows.append((family, f"{len(asked):,}", f"{len(whole):,}", " ".join(left) or "none"))
        return render_table(("rules of", ">asked", ">of", "not asked"), rows)

    def _sentence(self) -> str:
        score = self.score
        mark = {Verdict.HOLDS: good, Verdict.VIOLATED: bad}.get(score.verdict, open_)
        told = [f"{score.count(said):,} {said.value}" for said in Said if score.count(said)]
        stopped = " before it was stopped" if score.is_stopped else ""
        asked = count_of(score.asked, "question")
        left = f"; {count_of(len(score.not_named), 'kind')} not asked" if score.not_named else ""
        name = escape_line(self.name or "the program")
        return (
            f"{mark(score.verdict.value)}: {name}, {asked} asked{stopped}: {', '.join(told) or 'none'}{left}"
        )


def _tell(row: Row) -> dict[str, object]:
    judged = row.judged
    return {
        "id": row.question.id,
        "kind": row.question.kind.name,
        "said": row.said.value,
        "reason": row.reason,
        "question": plain(row.question.asked),
        "answer": plain(row.answer),
        "differences": [_tell_difference(each) for each in judged.differences] if judged else [],
    }


def _tell_difference(difference: Difference) -> dict[str, object]:
    return {
        "path": difference.path,
        "answered": plain(difference.recorded),
        "allowed": plain(difference.model),
        "rule": difference.rule,
        "title": list_titles().get(difference.rule, ""),
    }


def describe_row(row: Row) -> str:
    """Write a question that speaks against a program in full: asked, answered, allowed, and by which rule."""
    question = row.question
    head = f"{bad(row.said.value)} {escape_line(f'{question.kind.name} {question.id}')}"
    facts = [("asked", write_json(plain(question.asked)))]
    if row.said is Said.FAILED:
        return "\n".join([f"{head}: {escape_line(row.reason)}", render_facts([], commands=facts)])
    facts.append(("answered", write_json(plain(row.answer))))
    parts = [head, render_facts([], commands=facts)]
    if row.reason:
        parts.append(render_facts([("reason", escape_line(row.reason))]))
    differences = row.judged.differences if row.judged else ()
    for difference in differences[:1]:
        told = [
            ("at", strong(escape_line(difference.path or "the answer"))),
            ("answered", escape_line(shorten(difference.recorded))),
            ("allowed", escape_line(shorten(difference.model))),
            ("rule", name_with_title(difference.rule) if difference.rule else "none is named"),
        ]
        parts.append(render_facts(told, indent=4))
    further = [escape_line(each.path) for each in differences[1 : 1 + _FURTHER]]
    if further:
        parts.append(render_facts([("also at", ", ".join(further))], indent=4))
    return "\n".join(parts)
