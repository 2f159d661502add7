"""One log entry being applied: its transactions one after the other, and what comes of them."""

import msgspec

from nomadspec.model.cluster.entities import Evaluation
from nomadspec.model.cluster.store.draft import Draft
from nomadspec.model.cluster.store.handed_to_leader import Handed, hand_over
from nomadspec.model.cluster.store.state import State
from nomadspec.model.cluster.store.tables import RowKey
from nomadspec.model.specification.profiles import Profile


class RefusedError(Exception):
    """An entry is answered with an error; the transaction in the making changes nothing."""


class Transaction(msgspec.Struct, frozen=True, gc=False):
    """One transaction: what was seen after it, and the rows that it wrote with what they were before."""

    after: State
    before: dict[tuple[str, RowKey], object]


class Run:
    """An entry on its way through the store."""

    __slots__ = ("handed", "index", "now_ns", "profile", "state", "transactions")

    def __init__(self, state: State, index: int, now_ns: int, profile: Profile) -> None:
        """Start at the state before the entry."""
        self.state = state
        self.index = index
        self.now_ns = now_ns
        self.profile = profile
        self.handed: list[Handed] = []
        self.transactions: list[Transaction] = []

    def begin(self) -> Draft:
        """Start a transaction."""
        return Draft.of(self.state, self.index, self.now_ns, profile=self.profile)

    def commit(self, draft: Draft) -> None:
        """Make a transaction visible."""
        self.state = draft.finish()
        self.transactions.append(Transaction(self.state, draft.written))

    def hand(self, *things: Handed) -> None:
        """Hand things to the leader's memory, in this order."""
        self.handed.extend(things)

    def hand_eval(self, evaluation: Evaluation | None) -> None:
        """Hand an evaluation as it is stored now to whom it concerns."""
        if evaluation is not None:
            self.handed.extend(hand_over(self.state.evals[evaluation.id]))
