"""Servers whose state is behind that of the leader: workers may plan by it."""

from nomadspec.model.kernel.ids import ServerId
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.kernel.worker import view_cluster
from nomadspec.model.language.rule import rule


@rule("WORKER-06")
def catch_up(s: Kernel, t: Kernel, server: ServerId) -> None:
    """A server that was behind has applied every entry, and may fall behind again."""
    t.stale[server] = view_cluster(s)
    t.stale_usable[server] = True
    t.stale_unseen_unblock[server] = False
