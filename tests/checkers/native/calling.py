"""Small functions as machine code, called from tests."""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from nomadspec.checkers.native.build import MachineCode, Text
from nomadspec.checkers.native.program import Program, Questions
from nomadspec.checkers.native.words import Words
from nomadspec.checkers.stepper.layout import Layout
from nomadspec.model.language.bounded import BoundedModel
from nomadspec.model.language.property import Kind


@dataclass(frozen=True)
class Compiled:
    """A function that takes words and addresses; the code lives as long as this."""

    code: MachineCode
    function: Callable[..., int]

    def call(self, *arguments: int) -> int:
        return self.function(*arguments)


def compile_function(lines: str, name: str, arguments: int, *, level: int = 0) -> Compiled:
    """Compile a text and give one of its functions, which answers with a word."""
    code = MachineCode([Text(lines, level)], [name])
    kind = ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_int64] * arguments)
    return Compiled(code, kind(code.addresses[name]))


def put_words(words: Sequence[int]) -> array[int]:
    """Put words where machine code finds them."""
    return array("Q", words)


def address_of(words: array[int]) -> int:
    """Give the address of some words."""
    return words.buffer_info()[0]


def make_program(bounded: BoundedModel, canonical: str | None = None) -> tuple[Program, Words]:
    """Compile a model with all its properties but those about endless paths."""
    layout = Layout(bounded)
    asked = tuple(prop for prop in bounded.model.properties if prop.kind is not Kind.EVENTUALLY)
    program = Program(bounded, layout, Questions(asked, asks_stuck=True, decisive=frozenset()), canonical)
    return program, program.words
