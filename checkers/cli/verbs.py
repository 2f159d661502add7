"""Every verb of the command line: its name, the sentence that introduces it, and where it is listed.

A verb is a module of this package with the verb's name that holds a click command named ``command``. It is
imported when it is called, so that ``nomadspec --help`` answers at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Verb:
    """One verb: its name, and what the overview says of it."""

    name: str
    about: str


SECTIONS: Final[tuple[tuple[str, tuple[Verb, ...]], ...]] = (
    (
        "Check",
        (
            Verb("verify", "check every published model and give one verdict"),
            Verb("explore", "visit every world of a scope, and show the shortest story to a violation"),
            Verb("simulate", "walk at random through scopes too large to explore"),
            Verb(
                "prove", "prove properties with an SMT solver, if possible for any number of jobs, nodes, ..."
            ),
            Verb("refine", "check that every step of one model is a step of a more abstract one"),
            Verb("follow", "check a log of your own system against your own model"),
            Verb("mutants", "make small mistakes in rules and properties, and see whether the checks notice"),
            Verb("conform", "test another scheduler against the model"),
            Verb("vectors", "check recordings of a real server or cluster against the model"),
        ),
    ),
    (
        "Look",
        (
            Verb("models", "list the models with their scopes and sizes"),
            Verb("properties", "list the properties, and the reason for each"),
            Verb("findings", "list the known defects of Nomad 2.0: severity, effect, how to reproduce"),
            Verb("rules", "list the rules, and where the specification states them"),
            Verb("scenario", "play a scenario of a whole cluster and check its expectations"),
            Verb("steps", "list the steps that a world allows, and the condition that rules out a step"),
            Verb("replay", "replay a recorded cluster and show what is impossible in it"),
            Verb("story", "replay a story from a file, as text, as a graph of causes or as HTML"),
            Verb(
                "dag",
                "draw what caused each evaluation, or show why an allocation exists",
            ),
            Verb("schedule", "run the scheduler on one evaluation, and show why it places or blocks"),
            Verb("diagram", "draw the lifecycle of an evaluation, allocation, node, deployment or job"),
        ),
    ),
    (
        "Set up",
        (
            Verb("notebooks", "open the notebooks in Jupyter"),
            Verb("completion", "print the script for tab completion in your shell"),
        ),
    ),
)
"""The sections of the overview, each with its verbs."""

_WHY: Final = (
    "`schedule INPUT --why` shows why an allocation is not placed, `dag INPUT --why ALLOC` why one exists"
)
MEANT: Final = {
    "check": "`verify` checks everything, `explore` one model",
    "dump": "`schedule DUMP` and `dag DUMP` read answers of the HTTP API",
    "explain": _WHY,
    "reproduce": "`findings ID` lists the commands that replay a finding",
    "run": "`scenario run FILE` plays a scenario, `explore` searches a model",
    "test": "`verify` checks everything, `conform -- CMD` tests another scheduler",
    "watch": "`replay --follow` watches a running cluster",
    "why": _WHY,
}
"""What a word means that is often tried as a verb."""


def list_verbs() -> tuple[Verb, ...]:
    """List the verbs in the order of the overview."""
    return tuple(verb for _, verbs in SECTIONS for verb in verbs)
