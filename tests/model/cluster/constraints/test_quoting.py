"""Quoted text in messages."""

import pytest

from nomadspec.model.cluster.constraints.quoting import quote


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("", '""'),
        ("${meta.rack}", '"${meta.rack}"'),
        ('a "b" \\c', r'"a \"b\" \\c"'),
        ("tab\tline\nbell\a", r'"tab\tline\nbell\a"'),
        ("\x01\x7f", r'"\x01\x7f"'),
        ("grün \u00a0 \U000e0001", r'"grün \u00a0 \U000e0001"'),
    ],
)
def test_what_cannot_be_seen_is_escaped(text: str, quoted: str) -> None:
    assert quote(text) == quoted
