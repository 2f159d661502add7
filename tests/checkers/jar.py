"""The smallest model whose only rule leaves what its scope counts."""

from nomadspec.model.language.domain import counter
from nomadspec.model.language.rule import rule
from nomadspec.model.language.world import World, field, size


class Jar(World):
    """A jar into which somebody counts coins."""

    most = size(2, "how many coins")
    coins = field(counter(most), init=0, about="coins in it")


@rule("Jar-1")
def put_in(s: Jar, t: Jar) -> None:
    """Somebody puts a coin in without looking."""
    t.coins = s.coins + 1
