"""``python -m nomadspec.checkers.measure MODEL [SCOPE...]``: search published scopes anew, for the manifest.

Prints one entry of ``manifest.toml`` for each search, ready to be put in the place of the old ones; with
``--write`` it puts them there itself. Each scope that is about no profile of its own is searched under
``nomad-2.0``, under ``intended``, and for each known finding under the profile in which only that is cured. A
violation that no cure of a known finding ends is named on stderr, and the exit code is 1.

With ``--again`` the published searches are repeated as they are: each must find what the manifest says, and
``--write`` changes nothing but how long they take.
"""

from __future__ import annotations

import re
import sys
import time
from argparse import ArgumentParser
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Final

from nomadspec.checkers.attribution import Attribution, attribute, make_search
from nomadspec.checkers.explore import explore
from nomadspec.checkers.explore.named_search import make_errand
from nomadspec.checkers.explore.symmetry.sorts import find_sorts
from nomadspec.checkers.manifest import MANIFEST_PATH, Effort, Published, find_published, load_manifest
from nomadspec.checkers.model_findings import list_findings
from nomadspec.checkers.report.verification import find_problems
from nomadspec.invariants.catalogue import find_model, list_model_names
from nomadspec.model.errors import EXIT_HOLDS, EXIT_VIOLATED, NomadSpecError
from nomadspec.model.language.property import Kind
from nomadspec.model.specification.profiles import INTENDED, NOMAD_2_0

if TYPE_CHECKING:
    from pathlib import Path

    from nomadspec.checkers.verdict import ExploreReport
    from nomadspec.model.language.model import Model
    from nomadspec.model.language.scope import Scope

FAST_SECONDS: Final = 3.0
"""What a search may take if ``verify`` is to run it always."""
CI_SECONDS: Final = 120.0
_MOST_SECONDS: Final = {Effort.FAST: FAST_SECONDS, Effort.CI: CI_SECONDS}
MOST_UNREDUCED: Final = 2_000
"""Scopes of so many orbits are searched without symmetry too, so that endless paths are asked about."""

_ENTRY: Final = "[[scope]]\n"
_JUDGED: Final = frozenset({NOMAD_2_0.name, INTENDED.name})


def main(arguments: Sequence[str]) -> int:
    """Search, and print or write the entries."""
    asked = _make_parser().parse_args(arguments)
    try:
        model = find_model(asked.model)
        scopes = [model.find_scope(name) for name in asked.scopes] or list(model.scopes)
        entries: list[Published] = []
        unknown: list[str] = []
        again = [entry for scope in scopes for entry in find_published(model.name, scope.name)]
        for entry, problems in measure_again(again) if asked.again else measure(model, scopes, asked.seconds):
            sys.stdout.write(write_entry(entry) + "\n")
            sys.stdout.flush()
            sys.stderr.writelines(f"{entry.title}: {problem}\n" for problem in problems)
            entries.append(entry)
            unknown += problems
        if asked.write and not unknown:
            (replace_seconds if asked.again else replace_entries)(MANIFEST_PATH, entries)
    except NomadSpecError as error:
        sys.stderr.write(f"{error}\n")
        return error.exit_code
    return EXIT_VIOLATED if unknown else EXIT_HOLDS


def measure(
    model: Model, scopes: Sequence[Scope], seconds: float | None = None
) -> Iterator[tuple[Published, tuple[str, ...]]]:
    """Search scopes under each profile, and say of each search what nothing explains."""
    for scope in scopes:
        for profile in list_profiles(model, scope):
            bounded = model.at(scope.name, profile=profile)
            asked = {one.shown.reduction for one in list_findings(model.name) if one.scope == scope.name}
            has_names = bool(find_sorts(bounded.frame).all)
            for reduction in ("symmetry", "none") if has_names else ("none",):
                report = explore(
                    bounded,
                    reduction=reduction,
                    stop_at_first=False,
                    max_seconds=seconds,
                    tells_fewest_switches=False,
                    most_unfolded=0,
                )
                is_again = has_names and reduction == "none"
                said = attribute(
                    model.name,
                    bounded.profile.name,
                    list_to_explain(report),
                    make_search(model, scope.name, reduction, seconds),
                )
                entry = make_entry(scope.name, report, said, is_again=is_again)
                yield entry, tuple(find_unknown(report, said))
                is_large = report.distinct > MOST_UNREDUCED and "none" not in asked
                if report.stopped_by is not None or is_large:
                    break


def measure_again(entries: Iterable[Published]) -> Iterator[tuple[Published, tuple[str, ...]]]:
    """Repeat published searches: gives each with the time that it takes now, and what is not as published."""
    for entry in entries:
        began = time.process_time()
        report = make_errand(entry).run()
        seconds = round(time.process_time() - began, 1)
        problems = find_problems(entry, report)
        most = _MOST_SECONDS.get(entry.least_effort, seconds)
        if seconds > most:
            problems.append(f"it takes {seconds:,.1f} s, and what {entry.effort} runs {most:,.0f} s at most")
        yield replace(entry, seconds=seconds), tuple(problems)


def list_profiles(model: Model, scope: Scope) -> tuple[str, ...]:
    """List the profiles under which a scope is published."""
    if scope.profile is not None:
        return (scope.profile,)
    cured = [one.cured_profile for one in list_findings(model.name) if one.scope == scope.name]
    return tuple(dict.fromkeys((NOMAD_2_0.name, INTENDED.name, *cured)))


def list_to_explain(report: ExploreReport) -> list[str]:
    """List what a search found violated."""
    return [one.property for one in report.findings if one.kind is not Kind.SOMETIMES]


def make_entry(
    scope: str, report: ExploreReport, said: Iterable[Attribution] = (), *, is_again: bool = False
) -> Published:
    """Make the entry that a search would publish; one that is made again without reduction can wait."""
    about = report.about
    known = tuple(sorted({name for one in said for name in one.findings}))
    effort = "ci" if report.seconds <= CI_SECONDS else "deep"
    if report.seconds <= FAST_SECONDS and about.profile in _JUDGED and not is_again:
        effort = "fast"
    return Published(
        about.model,
        scope,
        about.profile,
        report.reduction,
        "holds",
        round(report.seconds, 1),
        effort,
        report.distinct,
        report.generated,
        report.depth,
        known=known,
    )


def find_unknown(report: ExploreReport, said: Iterable[Attribution]) -> Iterator[str]:
    """Say what a search found that no cure of a known finding ends, and whether it is complete."""
    explained = {one.violated: one for one in said}
    for one in report.findings:
        steps = len(one.story.steps) if one.story else 0
        if one.kind is Kind.SOMETIMES:
            yield f"{one.property} is never reached, though the scope promises it"
        elif one.property in explained and not explained[one.property].findings:
            cured = explained[one.property].cured
            still = f", under {cured} too" if cured != report.about.profile else ""
            yield f"{one.property} is violated after {steps} steps{still}, which is not known"
    if report.stopped_by is not None:
        yield f"the search is not complete ({report.stopped_by})"


def write_entry(entry: Published) -> str:
    """Write an entry of the manifest."""
    order = {part.name: getattr(entry, part.name) for part in fields(Published)}
    for later in ("seconds", "effort"):
        order[later] = order.pop(later)
    lines = [f"{name} = {_toml(value)}" for name, value in order.items() if value not in {None, ()}]
    return "\n".join([_ENTRY.rstrip(), *lines, ""])


def replace_entries(path: Path, entries: Sequence[Published]) -> None:
    """Put entries in the place of those of the same scopes, and leave all others as they are."""
    head, *blocks = path.read_text(encoding="utf-8").split(_ENTRY)
    ours = {(entry.model, entry.scope) for entry in entries}
    old = load_manifest(path)
    kept = [block for block, entry in zip(blocks, old, strict=True) if (entry.model, entry.scope) not in ours]
    parts = [head.rstrip(), *((_ENTRY + block).rstrip() for block in kept)]
    parts += [write_entry(entry).rstrip() for entry in entries]
    path.write_text("\n\n".join(parts) + "\n", encoding="utf-8")


def replace_seconds(path: Path, entries: Iterable[Published]) -> None:
    """Put the time that searches take now in the place of the old one, and leave all else as it is."""
    head, *blocks = path.read_text(encoding="utf-8").split(_ENTRY)
    now = {entry.title: entry.seconds for entry in entries}
    timed = [
        re.sub(r"(?m)^seconds = .*$", f"seconds = {now[entry.title]}", block) if entry.title in now else block
        for block, entry in zip(blocks, load_manifest(path), strict=True)
    ]
    path.write_text(_ENTRY.join([head, *timed]), encoding="utf-8")


def _toml(value: object) -> str:
    if isinstance(value, tuple):
        return f"[{', '.join(map(_toml, value))}]"
    if isinstance(value, str):
        return f'"{value}"'
    return f"{value:_}" if isinstance(value, int) else str(value)


def _make_parser() -> ArgumentParser:
    parser = ArgumentParser(prog="python -m nomadspec.checkers.measure", description=__doc__)
    parser.add_argument("model", choices=list_model_names(with_classics=True))
    parser.add_argument("scopes", nargs="*", metavar="SCOPE", help="by default all of the model")
    parser.add_argument(
        "--write", action="store_true", help="change the manifest, unless something is unknown"
    )
    parser.add_argument(
        "--again", action="store_true", help="repeat what is published, and tell how long it takes"
    )
    parser.add_argument("--seconds", type=float, help="how long each search may take")
    return parser


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
