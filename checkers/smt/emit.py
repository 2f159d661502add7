"""Questions as files of the SMT-LIB language, so that other solvers can be asked the same.

A file holds one question whole: its logic, its unknowns, what is asserted, and as its status what was
answered here. What only one solver reads is said in the words of the standard.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import z3

from nomadspec.checkers.atomic_files import write_whole
from nomadspec.checkers.smt.algebra import list_parts
from nomadspec.checkers.smt.question import IS_POSSIBLE, Answer
from nomadspec.model.errors import UsageError

if TYPE_CHECKING:
    from nomadspec.model.language.logic import Value

_STATUS: Final[Mapping[Answer, str]] = MappingProxyType(
    {Answer.KEPT: "unsat", Answer.BROKEN: "sat", Answer.UNKNOWN: "unknown"}
)
_MEANING: Final[Mapping[Answer, str]] = MappingProxyType(
    {
        Answer.KEPT: "there is no such case",
        Answer.BROKEN: "there is such a case",
        Answer.UNKNOWN: "the time was too short to tell",
    }
)
_NOT_IN_NAMES: Final = re.compile(r"[^A-Za-z0-9_-]+")
_MOST_IN_NAME: Final = 200
"""File systems take names of 255 bytes."""


@dataclass(frozen=True, slots=True)
class Written:
    """A file, and what was answered to the question in it."""

    file: str
    status: str
    is_obligation: bool = True
    """Whether a proof needs the answer; else it is asked whether a rule is possible at all."""


class QuestionFiles:
    """A ledger that writes each question to a file of a folder.

    What is asked again (with fewer assumptions, or with more time) takes the place of what was asked before.
    """

    def __init__(self, folder: Path, model: str) -> None:
        """Make the folder; one that cannot be written is refused before anything is asked."""
        self._folder = folder
        self._model = model
        self._written: dict[str, Written] = {}
        self.problem: UsageError | None = None
        """Why nothing more was written: the proofs go on without."""
        try:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / ".written").touch()
            (folder / ".written").unlink()
        except OSError as problem:
            raise _refuse(folder, problem) from None

    @property
    def written(self) -> tuple[Written, ...]:
        """The files of the folder that are about this model."""
        return tuple(self._written.values())

    def note(self, about: Sequence[str], terms: Sequence[Value], answer: Answer) -> None:
        """Write a question to its file, unless one could not be written before."""
        if self.problem is not None:
            return
        name = compute_file_name((self._model, *about))
        title = ", ".join((self._model, *about))
        try:
            write_whole(self._folder / name, write_question(title, terms, answer).encode())
        except OSError as problem:
            self.problem = _refuse(self._folder / name, problem)
            return
        self._written[name] = Written(name, _STATUS[answer], IS_POSSIBLE not in about)


def compute_file_name(parts: Sequence[str]) -> str:
    """Compute the name of the file for a question; a long one is cut and ends in a digest."""
    name = ".".join(_NOT_IN_NAMES.sub("-", part).strip("-") for part in parts)
    if len(name) > _MOST_IN_NAME:
        name = f"{name[:_MOST_IN_NAME]}.{sha256(name.encode()).hexdigest()[:12]}"
    return f"{name}.smt2"


def write_question(title: str, terms: Sequence[Value], answer: Answer) -> str:
    """Write the question whether all terms can be at once."""
    standard = [as_standard(term) for term in terms]
    parts = list(list_parts(standard))
    lines = [
        "(set-info :smt-lib-version 2.6)",
        f"(set-logic {find_logic(parts)})",
        f"(set-info :source |nomadspec: {_quotable(title)}|)",
        '(set-info :category "industrial")',
        f"(set-info :status {_STATUS[answer]})",
        f"; {_STATUS[answer]}: {_MEANING[answer]}",
        *list_declarations(parts),
        *(f"(assert {term.sexpr()})" for term in standard),
        "(check-sat)",
        "(exit)",
    ]
    return "\n".join(lines) + "\n"


def as_standard(term: Value) -> Value:
    """Say a term without what the standard does not know: that exactly so many of some flags are up."""
    if z3.is_app_of(term, z3.Z3_OP_PB_EQ):
        *factors, wanted = (term.decl().params()[at] for at in (*range(1, term.num_args() + 1), 0))
        return (
            z3.Sum([z3.If(flag, by, 0) for flag, by in zip(term.children(), factors, strict=True)]) == wanted
        )
    return term


def find_logic(parts: Sequence[Value]) -> str:
    """Find the name of the smallest logic of the standard that has all parts of some terms."""
    is_linear = not any(_is_product(part) for part in parts)
    has_functions = any(_is_unknown(part) and part.num_args() for part in parts)
    has_quantifiers = any(z3.is_quantifier(part) for part in parts)
    quantified = "" if has_quantifiers else "QF_"
    return f"{quantified}{'UF' if has_functions else ''}{'LIA' if is_linear else 'NIA'}"


def list_declarations(parts: Sequence[Value]) -> list[str]:
    """List the declarations of all unknowns among the parts of some terms, in the order of the parts."""
    found = (*parts, *list_parts(_list_hints(parts)))
    unknown = {part.decl().get_id(): part.decl() for part in found if _is_unknown(part)}
    return [declaration.sexpr() for declaration in unknown.values()]


def _list_hints(parts: Sequence[Value]) -> list[Value]:
    """List what quantified terms say about when to recall them, which may name what nothing else names."""
    patterns = [
        part.pattern(at) for part in parts if z3.is_quantifier(part) for at in range(part.num_patterns())
    ]
    return [hint for pattern in patterns for hint in pattern.children()]


def _is_unknown(part: Value) -> bool:
    return bool(z3.is_app_of(part, z3.Z3_OP_UNINTERPRETED))


def _is_product(part: Value) -> bool:
    is_multiplied = z3.is_app_of(part, z3.Z3_OP_MUL)
    return bool(is_multiplied) and sum(not z3.is_int_value(factor) for factor in part.children()) > 1


def _refuse(path: Path, problem: OSError) -> UsageError:
    return UsageError(
        f"{path} cannot be written ({problem.strerror}): name another folder for the questions."
    )


def _quotable(text: str) -> str:
    return text.replace("|", "/").replace("\\", "/")
