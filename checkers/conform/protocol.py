"""What goes over the wire: one JSON object a line, from here to an implementation and back.

The page `docs/how-to/judge-an-implementation.md` says it in words, and the schema
`docs/reference/conform-protocol.json` to machines.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from nomadspec.checkers.conform.judging import Question
from nomadspec.checkers.conform.question_and_answer import Json
from nomadspec.checkers.escaping import write_json
from nomadspec.checkers.oracle.answers import ANSWERS
from nomadspec.checkers.oracle.limits import Limits
from nomadspec.checkers.oracle.strict_json import parse_json
from nomadspec.model.errors import UnreadableError, suggest

PROTOCOL: Final = "nomadspec-conform/1"
"""The name and version of the protocol; another version is refused."""

KINDS: Final = tuple(kind for kind in ANSWERS if kind != "tasks-updated/cases")
"""What can be asked: all kinds of recordings whose questions stand by themselves."""

_REPLIES: Final = ("answer", "unsupported", "error")
_WORD: Final = 200
"""So much is kept of what an implementation says in words."""


class SpeechError(ValueError):
    """A line breaks the protocol; the message says how."""


@dataclass(frozen=True, slots=True)
class Hello:
    """What an implementation says of itself."""

    name: str
    kinds: frozenset[str]
    without: Mapping[str, Sequence[str]]
    """Patterns of members that it does not answer, by kind."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What an implementation says to one question: exactly one of the three is set."""

    answer: Json = None
    unsupported: str | None = None
    error: str | None = None


def write_greeting(profile: str) -> str:
    """Write the line that opens a conversation."""
    return write_json({"protocol": PROTOCOL, "profile": profile, "kinds": list(KINDS)})


def write_question(question: Question) -> str:
    """Write the line that asks a question."""
    return write_json({"id": question.id, "kind": question.kind.name, "question": question.asked})


def read_hello(line: bytes, limits: Limits) -> Hello:
    """Read what an implementation says of itself."""
    said = _read_object(line, limits)
    version = said.get("protocol")
    if version != PROTOCOL:
        raise SpeechError(f"the first line says `protocol` {version!r}, and {PROTOCOL!r} is spoken here")
    kinds = _read_texts(said.get("kinds"), "kinds")
    without = said.get("without") or {}
    if not isinstance(without, dict):
        raise SpeechError("`without` is an object: kinds, each with a list of members")
    read = {kind: _read_texts(members, f"without.{kind}") for kind, members in without.items()}
    return Hello(str(said.get("name", ""))[:_WORD], frozenset(list_named(kinds)), read)


def list_named(names: Iterable[str]) -> list[str]:
    """List the kinds that are meant: the name of a family means all of its kinds."""
    found: list[str] = []
    for name in names:
        kinds = [kind for kind in KINDS if kind == name or kind.partition("/")[0] == name]
        if not kinds:
            families = dict.fromkeys(kind.partition("/")[0] for kind in KINDS)
            raise SpeechError(f"there is no kind {name!r}; {suggest(name, (*families, *KINDS)).rstrip('.')}")
        found += kinds
    return found


def read_reply(line: bytes, question: Question, limits: Limits) -> Reply:
    """Read what an implementation says to a question."""
    said = _read_object(line, limits)
    if said.get("id") != question.id:
        raise SpeechError(f"the line is about the question {said.get('id')!r}"[:_WORD])
    told = [name for name in _REPLIES if name in said]
    if len(told) != 1:
        raise SpeechError(f"a line has exactly one of {', '.join(_REPLIES)}, and this one has {len(told)}")
    if told == ["answer"]:
        return Reply(answer=said["answer"])
    words = str(said[told[0]])[:_WORD]
    return Reply(unsupported=words) if told == ["unsupported"] else Reply(error=words)


def _read_object(line: bytes, limits: Limits) -> Mapping[str, Json]:
    try:
        said = parse_json(line.decode(), "the line", limits=limits)
    except UnicodeDecodeError as error:
        raise SpeechError(f"the line is damaged: {error.reason} at byte {error.start + 1}") from None
    except UnreadableError as error:
        raise SpeechError(", at ".join(filter(None, (error.problem, error.at)))) from None
    if not isinstance(said, dict):
        raise SpeechError("the line is no JSON object")
    return said


def _read_texts(value: Json, name: str) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise SpeechError(f"`{name}` is a list of texts")
    return value
