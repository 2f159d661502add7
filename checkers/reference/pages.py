"""All pages: written when the documentation is built; the few that are committed are compared, too."""

from collections.abc import Mapping
from os.path import normpath
from pathlib import Path
from typing import Final

from nomadspec.checkers.diagrams.pages import find_stale_lifecycle_docs, generate_lifecycle_docs
from nomadspec.checkers.diagrams.titles_at_foot import add_titles
from nomadspec.checkers.reference.commands import compute_commands_page, compute_schemas_page
from nomadspec.checkers.reference.coverage import compute_coverage_page
from nomadspec.checkers.reference.decisions import compute_decisions_page
from nomadspec.checkers.reference.deviations import compute_deviations_page
from nomadspec.checkers.reference.errors import compute_errors_page
from nomadspec.checkers.reference.findings import compute_findings_page
from nomadspec.checkers.reference.functions import compute_functions_page
from nomadspec.checkers.reference.models import compute_models_page
from nomadspec.checkers.reference.numbered import compute_numbered_page
from nomadspec.checkers.reference.places import compute_map_page
from nomadspec.checkers.reference.properties import compute_properties_page
from nomadspec.checkers.reference.quirks import compute_quirks_page
from nomadspec.checkers.reference.rules import compute_rules_page
from nomadspec.checkers.reference.triggers import compute_triggers_page
from nomadspec.checkers.reference.witnesses import compute_witnesses_page

_WITH_TITLES: Final = ("concepts/cluster-properties.md", "concepts/kernel.md")
"""Pages that are written by hand, all but the titles of their IDs at the foot."""


def compute_pages(root: Path) -> Mapping[str, str]:
    """Compute the text of every page, by its path below docs/reference."""
    return {**compute_committed_pages(root), **compute_built_pages(root)}


def compute_committed_pages(root: Path) -> Mapping[str, str]:
    """Compute the pages that stand in the repository: what one reads there without building anything."""
    return {
        "../findings.md": compute_findings_page(root),
        "../scheduler-findings.md": compute_decisions_page(),
        **{f"../{name}": add_titles(_read(root / "docs" / name)) for name in _WITH_TITLES},
    }


def compute_built_pages(root: Path) -> Mapping[str, str]:
    """Compute the pages that only a build of the documentation writes (.gitignore names them)."""
    return {
        "models.md": compute_models_page(),
        "rules.md": compute_rules_page(),
        "properties.md": compute_properties_page(),
        "functions.md": compute_functions_page(root),
        "quirks.md": compute_quirks_page(),
        "coverage.md": compute_coverage_page(root),
        "map.md": compute_map_page(root),
        "witnesses.md": compute_witnesses_page(root),
        "numbered.md": compute_numbered_page(),
        "triggers.md": compute_triggers_page(root),
        "deviations.md": compute_deviations_page(),
        "errors.md": compute_errors_page(),
        "cli.md": compute_commands_page(),
        "json.md": compute_schemas_page(root),
    }


def write_pages(root: Path) -> list[str]:
    """Write what differs from what is there, pictures of lifecycles included, and list it."""
    drawn = [path.relative_to(root).as_posix() for path in generate_lifecycle_docs(root / "docs")]
    stale = _list_stale(root, compute_pages(root))
    for path, text in stale.items():
        path.write_text(text, encoding="utf-8")
    return [*drawn, *(path.relative_to(root).as_posix() for path in stale)]


def list_stale(root: Path) -> list[str]:
    """List what is committed and not what the code says now."""
    committed = _list_stale(root, compute_committed_pages(root))
    stale = [*find_stale_lifecycle_docs(root / "docs"), *committed]
    return [path.relative_to(root).as_posix() for path in stale]


def _list_stale(root: Path, pages: Mapping[str, str]) -> dict[Path, str]:
    placed = {Path(normpath(root / "docs/reference" / name)): text for name, text in pages.items()}
    return {path: text for path, text in placed.items() if text != _read(path)}


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.exists() else ""
