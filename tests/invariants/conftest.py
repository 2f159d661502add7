"""Deviations spoil single cells of single ids, and do it by functions that no reader of texts follows."""

import pytest


@pytest.fixture(autouse=True)
def _deviations_are_let_in(ids_may_be_numbers: None, unread_texts: None) -> None:
    """Let the tests of properties break models in any way."""
    del ids_may_be_numbers, unread_texts  # that they are there is all
