"""All pages: written, or compared with what is there."""

from collections.abc import Mapping
from os.path import normpath
from pathlib import Path

from nomadspec.checkers.diagrams.pages import find_stale_lifecycle_docs, generate_lifecycle_docs
from nomadspec.checkers.reference.commands import compute_commands_page, compute_schemas_page
from nomadspec.checkers.reference.coverage import compute_coverage_page
from nomadspec.checkers.reference.decisions import compute_decisions_page
from nomadspec.checkers.reference.deviations import compute_deviations_page
from nomadspec.checkers.reference.errors import compute_errors_page
from nomadspec.checkers.reference.findings import compute_findings_page
from nomadspec.checkers.reference.functions import compute_functions_page
from nomadspec.checkers.reference.models import compute_models_page
from nomadspec.checkers.reference.places import compute_map_page
from nomadspec.checkers.reference.properties import compute_properties_page
from nomadspec.checkers.reference.quirks import compute_quirks_page
from nomadspec.checkers.reference.rules import compute_rules_page
from nomadspec.checkers.reference.witnesses import compute_witnesses_page


def compute_pages(root: Path) -> Mapping[str, str]:
    """Compute the text of every page, by its path below docs/reference."""
    return {
        "models.md": compute_models_page(),
        "rules.md": compute_rules_page(),
        "properties.md": compute_properties_page(),
        "functions.md": compute_functions_page(root),
        "quirks.md": compute_quirks_page(),
        "coverage.md": compute_coverage_page(root),
        "map.md": compute_map_page(root),
        "../findings.md": compute_findings_page(root),
        "../scheduler-findings.md": compute_decisions_page(),
        "witnesses.md": compute_witnesses_page(root),
        "deviations.md": compute_deviations_page(),
        "errors.md": compute_errors_page(),
        "cli.md": compute_commands_page(),
        "json.md": compute_schemas_page(root),
    }


def write_pages(root: Path) -> list[str]:
    """Write what differs from what is there, pictures of lifecycles included, and list it."""
    drawn = [path.relative_to(root).as_posix() for path in generate_lifecycle_docs(root / "docs")]
    stale = _list_stale(root)
    for path, text in stale.items():
        path.write_text(text, encoding="utf-8")
    return [*drawn, *(path.relative_to(root).as_posix() for path in stale)]


def list_stale(root: Path) -> list[str]:
    """List what is not what the code says now."""
    stale = [*find_stale_lifecycle_docs(root / "docs"), *_list_stale(root)]
    return [path.relative_to(root).as_posix() for path in stale]


def _list_stale(root: Path) -> dict[Path, str]:
    pages = {
        Path(normpath(root / "docs/reference" / name)): text for name, text in compute_pages(root).items()
    }
    return {path: text for path, text in pages.items() if text != _read(path)}


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.exists() else ""
