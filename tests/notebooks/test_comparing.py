"""Stored results are compared with new ones: what differs is seen, what only differs by the clock is not."""

from typing import Any

import pytest

from tests.notebooks.__main__ import compare


def make(text: str, kind: str = "text/plain") -> dict[str, Any]:
    output = {"output_type": "execute_result", "data": {kind: text}}
    return {"cells": [{"cell_type": "code", "source": "x", "outputs": [output]}]}


@pytest.mark.parametrize(
    ("old", "new", "kind", "different"),
    [
        ("HOLDS", "VIOLATED", "text/plain", [1]),
        ("in 0.2 s", "in 3.1 s", "text/plain", []),
        ("<Thing at 0x7f12>", "<Thing at 0x55aa>", "text/plain", []),
        ("<svg><text x='1'>a</text></svg>", "<svg><text x='2'>a</text></svg>", "image/svg+xml", []),
        ("<svg><text>a</text></svg>", "<svg><text>b</text></svg>", "image/svg+xml", [1]),
    ],
)
def test_what_differs_is_seen(old: str, new: str, kind: str, different: list[int]) -> None:
    assert different == compare(make(old, kind), make(new, kind))
