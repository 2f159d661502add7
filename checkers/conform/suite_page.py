"""The README of a suite: what its files are, what is free in them, and which rules they ask."""

from __future__ import annotations

from typing import Final

from nomadspec.checkers.conform.free_answers import CLOCK, OPTIONAL, SETS
from nomadspec.checkers.conform.rules_asked import list_family_rules
from nomadspec.checkers.conform.suite_form import ACCEPT, REJECT, Suite, find_place
from nomadspec.checkers.oracle.answers import ANSWERS
from nomadspec.checkers.report.table import count_of
from nomadspec.model.specification.catalogue import list_titles

_HEAD: Final = """# A suite of recordings

Made by `nomadspec vectors make` with the seed {seed} under the profile {profile}; the same command
makes the same files. Each line of an `.ndjson` file is a recording: one question to, or one
sequence of operations on, a component of a scheduler, with its answers. A recording in `{accept}/`
is what the specification allows. One in `{reject}/` is the recording of the same `id` with one
answer changed, so that it is not allowed; `{reject}/index.json` says which member, what would be
right there, and which rule decides it. `rules.json` lists by family and rule the recordings that
ask it.

To use a suite, ask your implementation what a line asks, and compare. A tester has to pass every
line of `{accept}/` and to find every line of `{reject}/` wrong. `nomadspec vectors check {accept}`
does so with the model.

## The files

| recordings | accepted | to be rejected | members that are answers |
|---|---|---|---|
"""

_FREE: Final = """
All other members are the question. Objects have the fields, units and spelling of the HTTP API, in
which a member that is zero, empty or null is left out; members in lower case are the recording's
own. A whole number may be as large as 64 bits hold.

## What is free

An answer may differ from the recorded one in this, and nothing else:

- Which of several things is chosen where the specification leaves it open: free ports
  (`Value_recorded`), the queue that a dequeue is served from (one of `any_of`), the node that is
  named for a plan that is all or nothing (one of `rejected_one_of`), the order of nodes in a
  scheduler (`choices`), new IDs. What follows from a choice has to follow.
- A time that is taken from the clock while an entry is applied is recorded as `NOW`; `nomadspec
  conform` expects the clock to stand at {clock}.
"""
_SETS: Final = """- Lists that are sets, and members that may be left out:

| recordings | sets | may be left out |
|---|---|---|
"""


def write_page(suite: Suite, seed: int, profile: str) -> str:
    """Write the README of a suite."""
    head = _HEAD.format(seed=seed, profile=profile, accept=ACCEPT, reject=REJECT)
    rows = [
        f"| `{find_place(suite.folder, kind).relative_to(suite.folder)}` | {number} | "
        f"{suite.rejected[kind]} | {_list_members(ANSWERS[kind])} |"
        for kind, number in suite.accepted.items()
    ]
    free = [
        f"| `{kind}` | {_list_members(SETS.get(kind, ()))} | {_list_members(OPTIONAL.get(kind, ()))} |"
        for kind in suite.accepted
        if kind in SETS or kind in OPTIONAL
    ]
    parts = [
        head + "\n".join(rows),
        _FREE.format(clock=f"{CLOCK}Z") + (_SETS + "\n".join(free) + "\n" if free else ""),
        _write_rules(suite),
    ]
    return "\n".join(parts)


def _list_members(members: tuple[str, ...]) -> str:
    return ", ".join(f"`{member}`" for member in members)


def _write_rules(suite: Suite) -> str:
    """Write which rules are asked, and list those that are not."""
    lines = ["## The rules", ""]
    titles = list_titles()
    for family, asked in suite.asked_by.items():
        left = suite.list_left(family)
        of = len(list_family_rules(family))
        lines.append(f"- {family}: {len(asked)} of {count_of(of, 'rule')} asked.")
        lines += [f"    - not asked: {rule}: {titles.get(rule, '')}" for rule in left]
    return "\n".join(lines)
