"""All pages: written, or compared with what is there."""

from collections.abc import Mapping
from pathlib import Path

from nomadspec.checkers.reference.commands import compute_commands_page, compute_schemas_page
from nomadspec.checkers.reference.coverage import compute_coverage_page
from nomadspec.checkers.reference.errors import compute_errors_page
from nomadspec.checkers.reference.models import compute_models_page
from nomadspec.checkers.reference.places import compute_map_page
from nomadspec.checkers.reference.properties import compute_properties_page
from nomadspec.checkers.reference.quirks import compute_quirks_page
from nomadspec.checkers.reference.rules import compute_rules_page


def compute_pages(root: Path) -> Mapping[str, str]:
    """Compute the text of every page, by its path below docs/reference."""
    return {
        "models.md": compute_models_page(),
        "rules.md": compute_rules_page(),
        "properties.md": compute_properties_page(),
        "quirks.md": compute_quirks_page(),
        "coverage.md": compute_coverage_page(root),
        "map.md": compute_map_page(root),
        "errors.md": compute_errors_page(),
        "cli.md": compute_commands_page(),
        "json.md": compute_schemas_page(root),
    }


def write_pages(root: Path) -> list[str]:
    """Write the pages that differ from what is there, and list them."""
    stale = list_stale(root)
    pages = compute_pages(root) if stale else {}
    for name in stale:
        (root / "docs/reference" / name).write_text(pages[name], encoding="utf-8")
    return stale


def list_stale(root: Path) -> list[str]:
    """List the pages that are not what the code says now."""
    return [
        name for name, text in compute_pages(root).items() if text != _read(root / "docs/reference" / name)
    ]


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.exists() else ""
