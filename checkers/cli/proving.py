"""How ``prove`` goes about it: with which means, what is noted of the questions, and what is drawn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from nomadspec.checkers.cli.screen import tell
from nomadspec.checkers.cli.story_out import check_place
from nomadspec.checkers.processors import count_processors
from nomadspec.checkers.report.json_fields import write_file
from nomadspec.checkers.report.loading import blaming_own
from nomadspec.checkers.report.proving import Proved, describe_reach, find_story
from nomadspec.checkers.smt import prove
from nomadspec.checkers.smt.emit import QuestionFiles, Written
from nomadspec.checkers.smt.question import Asking, Ledger
from nomadspec.checkers.smt.second_solver import PACKAGE, CrossCheck
from nomadspec.checkers.usual_profile import USUAL_PROFILE
from nomadspec.invariants.catalogue import RESOURCES
from nomadspec.model.errors import UsageError
from nomadspec.model.language.claim import judge
from nomadspec.model.language.story import replay as replay_story
from nomadspec.model.specification.profiles import find_profile

if TYPE_CHECKING:
    from nomadspec.checkers.cli.choice import Choice
    from nomadspec.checkers.progress import Progress
    from nomadspec.checkers.verdict import ProveReport

_FORMATS: Final[Mapping[str, str]] = MappingProxyType(
    {".svg": "svg", ".png": "png", ".mmd": "mermaid", ".dot": "dot", ".graphml": "graphml"}
)


@dataclass(slots=True)
class Means:
    """How properties are proved: how far, how long, by which seed, and who is shown the questions."""

    bmc: int
    time: float | None
    bounded_only: bool
    seed: int
    emit_smt2: Path | None
    cross_check: bool
    faults: bool
    workers: int | None = None
    """How many processes ask at once; None for as many as there are processors."""
    written: list[Written] = field(default_factory=list)
    """The questions that went to files."""
    unwritten: UsageError | None = None
    """Why no more of them did."""

    def prove_all(self, choices: Sequence[Choice], wanted: str | None, progress: Progress) -> list[Proved]:
        """Prove one model after the other, until Ctrl-C."""
        proved: list[Proved] = []
        for choice in choices:
            if not any(one.report.is_interrupted for one in proved):
                with blaming_own(choice.model):
                    proved.append(self.prove(choice, wanted, progress))
        return proved

    def prove(self, choice: Choice, wanted: str | None, progress: Progress) -> Proved:
        """Prove one model, or one property of it."""
        if self.faults and choice.model != RESOURCES:
            raise UsageError(f"--faults belongs to {RESOURCES}: {choice.model} has `nomadspec mutants`.")
        asking, finish = self._begin(choice.model)
        properties = [wanted] if wanted else None
        bounded = None
        if choice.model == RESOURCES:
            report = self._prove_resources(choice, properties, progress, asking)
        else:
            bounded = choice.bound()
            report = prove(
                bounded,
                properties=properties,
                bmc_steps=self.bmc,
                max_seconds=self.time,
                is_open=not self.bounded_only,
                progress=progress,
                asking=asking,
            )
        return Proved(replace(report, notes=(*report.notes, *finish())), bounded, choice.model)

    def _prove_resources(
        self, choice: Choice, properties: Sequence[str] | None, progress: Progress, asking: Asking
    ) -> ProveReport:
        from nomadspec.checkers.smt.resources import prove_resources
        from nomadspec.checkers.smt.resources.faults import judge_faults
        from nomadspec.invariants.cluster.resources.claims import find_claim

        profile = find_profile(USUAL_PROFILE if choice.profile is None else choice.profile)
        report = prove_resources(
            profile, properties=properties, max_seconds=self.time, progress=progress, asking=asking
        )
        if not self.faults:
            return report
        proofs = [replace(one, faults=judge_faults(find_claim(one.property))) for one in report.proofs]
        return replace(report, proofs=tuple(proofs))

    def _begin(self, model: str) -> tuple[Asking, Callable[[], list[str]]]:
        """Say who is shown the questions about a model, and how to end with what they noted."""
        files = QuestionFiles(self.emit_smt2, model) if self.emit_smt2 is not None else None
        check = CrossCheck(model) if self.cross_check else None

        def finish() -> list[str]:
            if files is not None:
                self.written += files.written
                self.unwritten = self.unwritten or files.problem
            return [describe_check(check)] if check is not None else []

        ledgers: list[Ledger] = [ledger for ledger in (files, check) if ledger is not None]
        return Asking(self.seed, tuple(ledgers), self.workers or count_processors()), finish

    def tell_files(self) -> None:
        """Say on stderr what became of the questions."""
        if self.unwritten is not None:
            raise self.unwritten
        if self.emit_smt2 is not None:
            told = f"wrote {len(self.written)} questions to {self.emit_smt2}"
            needed = [one.status for one in self.written if one.is_obligation]
            others = [one.status for one in self.written if not one.is_obligation]
            told += f": {_count(needed)}"
            if others:
                told += (
                    f"; {len(others)} that no proof needs ask whether a rule is possible: {_count(others)}"
                )
            tell(told)

    def list_questions(self) -> list[dict[str, str]]:
        """List the files with their answers, for a program."""
        return [{"file": one.file, "status": one.status} for one in self.written]


def _count(statuses: Sequence[str]) -> str:
    counts = Counter(statuses)
    return ", ".join(f"{number} {status}" for status, number in sorted(counts.items())) or "none"


def describe_check(check: CrossCheck) -> str:
    """Say how far the two solvers agree; where they contradict each other nothing is said any more."""
    return (
        f"{PACKAGE} was asked the same {check.agreed + check.open} questions: it gives the same answer to "
        f"{check.agreed}, and {check.open} are left open by one of the two solvers."
    )


def find_format(path: Path | None) -> str:
    """Find by the name of a file how it is drawn; a place where nothing can be drawn is refused."""
    check_place(path)
    if path is None:
        return ""
    if path.suffix not in _FORMATS:
        raise UsageError(f"The name {path} must end in {', '.join(_FORMATS)}.")
    return _FORMATS[path.suffix]


def compute_picture(proved: Sequence[Proved], form: str) -> bytes | None:
    """Draw the first story that shows a violation, or else the first step that breaks a property."""
    from nomadspec.checkers.diagrams.dag import render_events
    from nomadspec.checkers.diagrams.gap_events import events_of_gap
    from nomadspec.checkers.diagrams.story_events import events_of

    found = find_story(proved)
    if found is not None:
        story, bounded, _ = found
        replay = replay_story(story, bounded)
        return render_events(events_of(story, replay, judge(story, replay)), form)
    gaps = (proof for one in proved for proof in one.report.proofs if proof.gap is not None)
    for proof in gaps:
        if proof.gap is not None and proof.gap.replay is not None and proof.gap.replay.moments:
            graph = events_of_gap(proof.property, proof.gap.replay, describe_reach(proof.gap.reach))
            return render_events(graph, form)
    return None


def draw_first(proved: Sequence[Proved], path: Path | None, form: str) -> None:
    """Draw the first story, or else the first step that breaks a property, where that was asked for."""
    if path is None:
        return
    picture = compute_picture(proved, form)
    if picture is None:
        tell(f"wrote no {path}: there is nothing to draw")
        return
    write_file(path, picture)
    tell(f"wrote {path}")
