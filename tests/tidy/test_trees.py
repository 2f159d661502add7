"""Every file is parsed once, and asked for all that the house style says of its tree."""

from collections.abc import Callable
from typing import Final

from tests.tidy.source import Source, list_all_sources
from tests.tidy.test_copies import find_copies
from tests.tidy.test_operator_style import KERNEL_STYLE, find_branches
from tests.tidy.test_purity import find_impurities
from tests.tidy.test_size import find_large
from tests.tidy.test_tests import find_mute

LINTS: Final[dict[Callable[[Source], list[str]], tuple[str, ...]]] = {
    find_large: ("",),
    find_mute: ("tests/",),
    find_impurities: ("model/", "invariants/"),
    find_branches: tuple(f"{folder}/" for folder in KERNEL_STYLE),
    find_copies: tuple(f"{folder}/" for folder in KERNEL_STYLE),
}
"""What is looked for, and in which folders."""


def test_every_file_keeps_the_house_style() -> None:
    sources = list_all_sources()
    found = [
        finding
        for source in sources
        for find, folders in LINTS.items()
        if source.path.startswith(folders)
        for finding in find(source)
    ]

    assert not found, "\n".join(found)
    for folder in {folder for folders in LINTS.values() for folder in folders}:
        assert any(source.path.startswith(folder) for source in sources), folder
