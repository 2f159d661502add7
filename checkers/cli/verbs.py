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
            Verb("verify", "judge every published model: one verdict, and how far it reaches"),
            Verb("explore", "visit every world of a scope, with the shortest story to whatever is wrong"),
            Verb("simulate", "walk at random through worlds that are too many to visit"),
            Verb("prove", "prove properties with a solver, where possible for any number of everything"),
            Verb("refine", "compare every step of one model with the steps of another, through a mapping"),
            Verb("follow", "judge a log of your own system: does your own model allow it?"),
            Verb("mutants", "make small mistakes in rules and properties: would anything notice?"),
            Verb("conform", "ask any implementation, and judge its answers by the model"),
            Verb("vectors", "judge recordings of a real server or cluster: does the model allow them?"),
        ),
    ),
    (
        "Look",
        (
            Verb("models", "the models, their scopes and sizes, and what a search of each must find"),
            Verb("properties", "what must be true, and why"),
            Verb(
                "findings", "what the described release does wrong: how severe, who is hit, how to replay it"
            ),
            Verb("rules", "what can happen, and where the specification says so"),
            Verb("scenario", "play a scenario of a whole cluster, and compare what is expected of it"),
            Verb("steps", "what can happen in a world, and which condition keeps a step from happening"),
            Verb("replay", "tell the story of a recorded cluster, and what in it is impossible"),
            Verb("story", "replay a story from a file; show it as text or as a graph of causes"),
            Verb(
                "dag",
                "draw what caused each evaluation and what came of it, or ask why an allocation is there",
            ),
            Verb("schedule", "process one evaluation as the real scheduler does, and say why"),
            Verb("diagram", "draw the lifecycle of an evaluation, an allocation, a node, ..."),
        ),
    ),
    ("Set up", (Verb("completion", "complete names in your shell when you press the tab key"),)),
)
"""The sections of the overview, each with its verbs."""


def list_verbs() -> tuple[Verb, ...]:
    """List the verbs in the order of the overview."""
    return tuple(verb for _, verbs in SECTIONS for verb in verbs)
