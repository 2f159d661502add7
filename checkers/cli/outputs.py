"""What CI is given beside the result: the options of all verbs that judge, and one writer for them."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from nomadspec.checkers.cli.screen import tell
from nomadspec.checkers.cli.story_out import check_place
from nomadspec.model.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from nomadspec.checkers.ci.case import Outcomes
    from nomadspec.checkers.pages.page import Page

_SUMMARY_VARIABLE: Final = "GITHUB_STEP_SUMMARY"
"""The file that GitHub Actions shows as the summary of a job."""
_NAMES: Final = {
    "json": "result.json",
    "junit": "junit.xml",
    "sarif": "results.sarif",
    "summary": "summary.md",
}

Writer = Callable[[], None]


@dataclass(frozen=True, slots=True)
class Outputs:
    """Which files are wanted, and whether annotations are."""

    junit: Path | None
    sarif: Path | None
    summary: Path | None
    out: Path | None
    github: bool

    def check(self) -> None:
        """Refuse places where nothing can be written, before anything is computed for them."""
        for path in (self.junit, self.sarif, self.summary):
            check_place(path)
        if self.out is not None:
            try:
                self.out.mkdir(parents=True, exist_ok=True)
            except OSError as problem:
                raise UsageError(
                    f"{self.out} is no folder and cannot be made ({problem.strerror})."
                ) from problem

    def list_writers(self, compute: Callable[[], Outcomes], data: Mapping[str, object]) -> list[Writer]:
        """List what has to be written; the cases are computed once, and only where somebody wants them."""
        found = functools.cache(compute)
        asked = {"junit": self.junit, "sarif": self.sarif, "summary": self.summary}
        writers: list[Writer] = []
        for name, path in asked.items():
            places = [path, self.out / _NAMES[name] if self.out else None]
            writers += [partial(_write, place, name, found) for place in places if place is not None]
        if self.out is not None:
            writers.append(partial(_write_data, self.out / _NAMES["json"], data))
        return [*writers, partial(_annotate, found)] if self.github else writers


def takes_outputs(verb: Callable[..., int]) -> Callable[..., int]:
    """Give a verb the options of CI, and hand it what they say as ``outputs``."""

    @click.option("--junit", type=click.Path(path_type=Path), metavar="FILE", help="Write JUnit XML.")
    @click.option(
        "--sarif",
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="Write violations as SARIF.",
    )
    @click.option(
        "--summary", type=click.Path(path_type=Path), metavar="FILE", help="Write a Markdown summary."
    )
    @click.option(
        "--out",
        type=click.Path(path_type=Path),
        metavar="DIR",
        help="Write all of these, and the JSON object, to DIR.",
    )
    @click.option("--github", is_flag=True, help="Write GitHub Actions annotations and a job summary.")
    @functools.wraps(verb)
    def with_outputs(*arguments: Any, **options: Any) -> int:
        names = ("junit", "sarif", "summary", "out", "github")
        outputs = Outputs(**{name: options.pop(name) for name in names})
        outputs.check()
        return verb(*arguments, outputs=outputs, **options)

    return with_outputs


takes_page = click.option(
    "--html",
    type=click.Path(path_type=Path),
    metavar="FILE",
    callback=lambda _context, _parameter, path: _checked(path),
    help="Write a self-contained HTML page.",
)
"""Gives a verb ``--html``; a place where nothing can be written is refused before anything is computed."""


def _checked(path: Path | None) -> Path | None:
    check_place(path)
    return path


def list_page_writers(path: Path | None, make: Callable[[], Page]) -> list[Writer]:
    """List what has to be written for ``--html``: the page, where it was asked for."""
    return [] if path is None else [partial(_write_page, path, make)]


def _write_page(path: Path, make: Callable[[], Page]) -> None:
    from nomadspec.checkers.pages.page import write_page
    from nomadspec.checkers.report.json_fields import write_file

    write_file(path, write_page(make()))
    tell(f"wrote {path}")


def _write(path: Path, kind: str, found: Callable[[], Outcomes]) -> None:
    from nomadspec.checkers.ci.junit import write_junit
    from nomadspec.checkers.ci.sarif import write_sarif
    from nomadspec.checkers.ci.summary import write_summary
    from nomadspec.checkers.report.json_fields import write_file

    write = {"junit": write_junit, "sarif": write_sarif, "summary": write_summary}[kind]
    write_file(path, write(found()).encode())
    tell(f"wrote {path}")


def _write_data(path: Path, data: Mapping[str, object]) -> None:
    from nomadspec.checkers.escaping import write_json
    from nomadspec.checkers.report.json_fields import write_file

    write_file(path, f"{write_json(data, indent=2)}\n".encode())
    tell(f"wrote {path}")


def _annotate(found: Callable[[], Outcomes]) -> None:
    """Write annotations to stderr, which the runner reads as well, and the summary where it is asked for."""
    from nomadspec.checkers.ci.annotations import list_annotations
    from nomadspec.checkers.ci.summary import write_summary

    for line in list_annotations(found()):
        tell(line)
    target = os.environ.get(_SUMMARY_VARIABLE)
    if target:
        with Path(target).open("a", encoding="utf-8") as file:
            file.write(write_summary(found()))
