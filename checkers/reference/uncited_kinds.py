"""Of what kinds the IDs are that nothing cites, and what is said of one of them."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Uncited:
    """Why one ID is not cited."""

    kind: str
    why: str
    """The reason of this ID, in a sentence of its own."""


FOLLOWS: Final = "follows"
PROCESS: Final = "process"
OUTSIDE: Final = "outside"
LEFT_OUT: Final = "left out"
UNSWITCHED: Final = "unswitched"
HISTORY: Final = "history"
KINDS: Final = {
    FOLLOWS: "lists fields, names words, or says what follows from IDs that are cited",
    PROCESS: "what goes on inside one server and shows in no answer: threads, waiting, attempts after errors",
    OUTSIDE: "endpoints, lists, stubs, dumps and metrics: the model begins behind them",
    LEFT_OUT: "parts of the server that the model leaves out: quotas, claims of volumes, tokens, keys",
    UNSWITCHED: "quirks of the release that no quirk of a profile turns off",
    HISTORY: "bugs of earlier releases that no quirk brings back",
}
"""Of what kind an ID without a citation is."""
