"""The table at the foot of a page that is read where nothing is built: what each ID on the page says."""

from typing import Final

from nomadspec.checkers.report.titles import find_titles, list_ids_in

HEADING: Final = "## Titles of the IDs"


def add_titles(text: str) -> str:
    """Write a page with the titles of its IDs at its foot, in place of those that stand there."""
    told = text.partition(f"\n{HEADING}\n")[0].rstrip("\n")
    rows = [f"| {spec_id} | {title} |" for spec_id, title in find_titles(list_ids_in(told)).items()]
    return "\n".join([told, "", HEADING, "", "| ID | title |", "| --- | --- |", *rows, ""])
