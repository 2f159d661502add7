"""Finds rules, properties and models by words: of their names, reasons, IDs and the titles of these."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Final, TypeAlias, TypeVar

from nomadspec.checkers.report.titles import find_titles
from nomadspec.model.language.model import Model
from nomadspec.model.specification.synonyms import is_phrase, list_meanings

ThingT = TypeVar("ThingT")

_Way: TypeAlias = tuple[re.Pattern[str], ...]
"""Patterns of which a text has to have all."""

_HUMP: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_JOINT: Final = re.compile("[-_]")
_SILENT: Final = frozenset({"id", "ids"})
"""What the API has behind the name of an object says nothing more of it."""
_ID: Final = re.compile(r"[A-Za-z]+-[A-Za-z]?\d+[a-z]?|\d\d/[A-Z]-?\d+")
"""``BROKER-22``, ``X-01``, ``02/S13``, ``07/S-01``: their parts are no words."""


def find_by_words(
    things: Iterable[ThingT], wanted: str, list_texts: Callable[[ThingT], Iterable[str]]
) -> list[ThingT]:
    """Find the things whose texts have every word that is wanted, or one that means the same.

    Those whose name, the first text, has them come first. ``lost_after``, ``lost-after`` and ``LostAfter``
    are the words ``lost after``, ``JobID`` is ``job``, and a phrase that has a meaning of its own is
    found by its words, too, where one text has them all.
    """
    needs = list(map(_list_ways, _split(wanted)))
    if not needs:
        return []
    texts = [(thing, list(list_texts(thing))) for thing in things]
    found = [(thing, named) for thing, named in texts if _has_all(needs, named)]
    return [thing for thing, _ in sorted(found, key=lambda one: not _has_all(needs, one[1][:1]))]


def list_words(name: str, reasons: Iterable[str], spec_ids: Sequence[str]) -> list[str]:
    """List the texts by which something is found: its name in words, its reasons, its IDs, their titles."""
    return [f"{spell_out(name)} {name}", *reasons, *spec_ids, *find_titles(spec_ids).values()]


def list_words_of(model: Model) -> list[str]:
    """List the texts by which a model is found: its own, those of its scopes, rules and properties."""
    texts = [f"{model.name} {model.about}"]
    texts += [text for scope in model.scopes for text in (spell_out(scope.name), scope.why)]
    for rule in (*model.starts, *model.rules):
        texts += list_words(rule.name, [rule.about], rule.spec)
    for prop in model.properties:
        texts += list_words(prop.name, [prop.why], prop.spec)
    return texts


def is_id(word: str) -> bool:
    """True if a word looks like the ID of a rule of the specification, a quirk or a finding."""
    return _ID.fullmatch(word) is not None


def spell_out(name: str) -> str:
    """Write a name as the words that it is made of: ``DecideCommit`` is ``decide commit``."""
    return _HUMP.sub(" ", name).replace("_", " ").lower()


def _split(wanted: str) -> list[str]:
    """Split what is wanted into words; a phrase that has a meaning of its own is one, and so is an ID."""
    parts = [part for word in wanted.split() for part in _list_parts(word)]
    left = [part for part in parts if part not in _SILENT] or parts
    words = []
    while left:
        size = next((size for size in range(len(left), 1, -1) if is_phrase(" ".join(left[:size]))), 1)
        words.append(" ".join(left[:size]))
        left = left[size:]
    return words


def _list_parts(word: str) -> list[str]:
    """List the words that are joined in one, as in ``DesiredStatus`` or ``desired_status``; an ID is one."""
    parts = [word] if _ID.fullmatch(word) else _JOINT.split(_HUMP.sub("_", word))
    return [part.lower() for part in parts if part]


def _list_ways(words: str) -> list[_Way]:
    """List the ways in which a text can have a word or phrase: as what means the same, or word by word."""
    parts = words.split()
    whole = (_begin_words(list_meanings(words)),)
    return [whole, tuple(_begin_words(list_meanings(part)) for part in parts)] if parts[1:] else [whole]


def _begin_words(meanings: Iterable[str]) -> re.Pattern[str]:
    """Match where a word begins with any of the meanings, whose words are joined in any way."""
    told = ("[-_ ]".join(map(re.escape, re.split("[-_ ]", meaning))) for meaning in meanings)
    return re.compile(rf"(?<![a-z0-9])(?:{'|'.join(told)})", re.IGNORECASE)


def _has_all(needs: Iterable[list[_Way]], texts: Iterable[str]) -> bool:
    """True if texts, in which names of several words are spelled out, too, have all that is wanted.

    The words of a phrase are to stand in one text: in two they say something else.
    """
    spelled = [f"{text} {_HUMP.sub(' ', text)}" for text in texts]
    return all(
        any(all(part.search(text) for part in way) for way in ways for text in spelled) for ways in needs
    )
