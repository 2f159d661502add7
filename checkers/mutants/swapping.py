"""Functions with other code for a while: whoever calls them runs the other code."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from types import CodeType, FunctionType
from typing import Final

from nomadspec.model.language.checked_texts import keeping_checked_texts
from nomadspec.model.language.comparison_checks import note_made
from nomadspec.model.language.logic import exists, for_all

_QUANTIFIERS: Final = {"exists": exists, "for_all": for_all}
"""What a mutant may call although the file that it is in does not import it."""


@contextmanager
def swapped(function: FunctionType, definition: ast.FunctionDef) -> Iterator[None]:
    """Let a function run another definition, in which both quantifiers are known.

    What it says now was not looked at before.
    """
    kept, known = function.__code__, function.__globals__
    lent = {name: value for name, value in _QUANTIFIERS.items() if name not in known}
    function.__code__ = compile_definition(function, definition)
    known.update(lent)
    try:
        with keeping_checked_texts(None):
            yield
    finally:
        function.__code__ = kept
        for name in lent:
            known.pop(name, None)


def compile_definition(function: FunctionType, definition: ast.FunctionDef) -> CodeType:
    """Compile a definition as the code of a function, so that errors name the file and line that it has."""
    bare = ast.FunctionDef(**{**dict(ast.iter_fields(definition)), "decorator_list": [], "returns": None})
    for argument in (*bare.args.posonlyargs, *bare.args.args, *bare.args.kwonlyargs):
        argument.annotation = None
    bare.args.defaults, bare.args.kw_defaults = [], [None] * len(bare.args.kwonlyargs)
    module = ast.fix_missing_locations(ast.Module([ast.copy_location(bare, definition)], []))
    whole = compile(module, function.__code__.co_filename, "exec", dont_inherit=True)
    made = next(part for part in whole.co_consts if isinstance(part, CodeType))
    note_made(made)
    return made
