"""Names that are used inside what a function defines are found too."""

from nomadspec.checkers.code_names import list_names


def use_some() -> list[int]:
    return [len(str(number)) for number in sorted((3, 1))]


def test_the_names_of_inner_code_are_listed_too() -> None:
    assert {"sorted", "len", "str"} <= set(list_names(use_some.__code__))
    assert "open" not in list_names(use_some.__code__)
