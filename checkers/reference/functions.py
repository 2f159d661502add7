"""The page of functions: what each part of the cluster model formalises, by file."""

from itertools import groupby
from pathlib import Path

from nomadspec.checkers.reference.citations import anchor
from nomadspec.checkers.reference.docstrings import list_citing_parts
from nomadspec.checkers.reference.markdown import code, heading, page, table, titled

_ABOUT = (
    "The functions, records and acts of the cluster model that formalise IDs of the specification, by file, "
    "and those of the checkers that read what servers print. Rules and properties, which engines run, have "
    "pages of their own."
)


def compute_functions_page(root: Path) -> str:
    """Write the page of functions."""
    parts = []
    for file, of_file in groupby(list_citing_parts(root), key=lambda part: part.file):
        rows = [(code(part.name), part.about, titled(part.spec)) for part in of_file]
        parts += [
            heading(2, code(file), anchor(*file.removesuffix(".py").split("/"))),
            table(["what", "does", "formalises"], rows),
        ]
    return page("Functions", _ABOUT, *parts)
