import pytest

from nomadspec.model.cluster.constraints.regex_characters import (
    CATEGORIES,
    PERL_CLASSES,
    POSIX_CLASSES,
    CharacterSet,
    Item,
    compute_range,
    find_unicode_class,
    fold,
    list_cases,
)


def test_a_character_is_listed_with_all_its_cases() -> None:
    assert ("K", "k", "\u212a") == list_cases("k")
    assert ("S", "s", "\u017f") == list_cases("\u017f")
    assert ("1",) == list_cases("1")


@pytest.mark.parametrize("character", ["\u0131", "\u0130", "\u0149"])
def test_a_letter_without_a_simple_other_case_has_none(character: str) -> None:
    assert character == fold(character)
    assert (character,) == list_cases(character)


def test_case_is_forgotten_before_a_part_is_negated() -> None:
    no_k = CharacterSet((compute_range("k", "k", folded=True),), negated=True)

    assert not no_k.has("\u212a")
    assert no_k.has("j")


def test_a_set_holds_what_any_part_holds() -> None:
    either = CharacterSet((Item(PERL_CLASSES["d"]), Item(PERL_CLASSES["w"], negated=True)))

    assert either.has("7")
    assert either.has("-")
    assert not either.has("x")


def test_classes_know_no_script_but_the_first() -> None:
    assert not PERL_CLASSES["d"]("٣")
    assert not PERL_CLASSES["w"]("é")
    assert not PERL_CLASSES["s"]("\v")
    assert POSIX_CLASSES["space"]("\v")


def test_a_class_of_unicode_is_a_category_or_a_script() -> None:
    greek, letter = find_unicode_class("Greek"), find_unicode_class("L")

    assert greek is not None
    assert letter is not None
    assert greek("λ")
    assert not greek("l")
    assert letter("λ")
    assert not letter("1")
    assert find_unicode_class("Klingon") is None


def test_what_is_not_assigned_is_in_no_category() -> None:
    other = find_unicode_class("C")

    assert other is not None
    assert other("\x00")
    assert not other("\u0378")
    assert "Cn" not in CATEGORIES
