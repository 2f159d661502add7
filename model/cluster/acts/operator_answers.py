"""How operators are answered: what is written, or why it is not."""

from __future__ import annotations

from typing import Final

import msgspec
from msgspec.structs import replace

from nomadspec.model.cluster.acts.commit import Committed, commit
from nomadspec.model.cluster.store.entries import Applied
from nomadspec.model.cluster.world import Reply, World

NO_LEADER: Final = "No cluster leader"


def ask(world: World, request: msgspec.Struct, *, says: str = "") -> Committed:
    """Write what an operator asks for, and answer with the error of the entry, if it has any.

    Spec: FSM-01.
    """
    if not world.is_led:
        return Committed(refuse(world, NO_LEADER), Applied(world.state, NO_LEADER), is_lost=True)
    done = commit(world, request)
    reply = Reply(error=done.error) if done.error else Reply(says=says)
    return Committed(replace(done.world, reply=reply), done.applied, done.is_lost)


def refuse(world: World, error: str) -> World:
    """Refuse a request before anything is written."""
    return replace(world, reply=Reply(error=error))


def accept(world: World, says: str = "") -> World:
    """Answer a request that was done, or for which nothing is to be done."""
    return replace(world, reply=Reply(says=says))
