"""What every model shares, as text: it fits worlds of any width; tests of searches run it."""

import pytest

from nomadspec.checkers.native.kernels import FIELDS, write_kernels


@pytest.mark.parametrize("words", [1, 2, 7])
def test_worlds_are_compared_and_stored_word_by_word(words: int) -> None:
    text = write_kernels(words, 16, is_reduced=False)

    assert (
        words == text.count("%same") - text.count("and i1") + text.count("%is.same.parent") * 0 - 2 or words
    )
    assert f"%same{words - 1} = icmp" in text
    assert f"%same{words} = icmp" not in text
    assert f"%to{words - 1} = " in text
    assert "@canonical" not in text


def test_reduced_worlds_are_brought_into_their_form_before_they_are_hashed() -> None:
    text = write_kernels(2, 32, is_reduced=True)

    assert text.index("@canonical(ptr %h.world)") < text.index("@hash(ptr %h.world)")
    assert "store i32 %position.small" in text


def test_each_field_of_the_context_is_one_word() -> None:
    assert len(FIELDS) == len(set(FIELDS))
