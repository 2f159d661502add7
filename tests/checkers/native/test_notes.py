"""Questions have a bit each."""

from nomadspec.checkers.native.notes import count_words


def test_so_many_words_hold_the_bits() -> None:
    assert [1, 1, 1, 2, 2, 3] == [count_words(questions) for questions in (0, 1, 64, 65, 128, 129)]
