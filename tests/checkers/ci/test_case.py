"""Where something is, as CI names it."""

from pathlib import Path

from nomadspec.checkers.ci.case import name_file


def test_a_link_that_leads_in_a_circle_has_a_name(tmp_path: Path) -> None:
    circle = tmp_path / "circle"
    circle.symlink_to(circle)

    assert circle.as_posix() == name_file(circle)
