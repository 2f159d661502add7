"""A user's model in a file, and stories of the package's models that tests need again and again."""

from functools import cache
from pathlib import Path
from typing import Final

from nomadspec.checkers.report.stories import write_story
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.language.bounded import BoundedModel
from nomadspec.model.language.claim import tell
from nomadspec.model.language.story import Story
from nomadspec.model.language.trace import Instance

SHOP: Final = '''"""A shop whose only clerk may fall asleep."""

from nomadspec.model.language.domain import FLAG, upto
from nomadspec.model.language.logic import not_
from nomadspec.model.language.model import Model
from nomadspec.model.language.scope import Scope
from nomadspec.model.language.property import always, sometimes
from nomadspec.model.language.rule import rule
from nomadspec.model.language.world import World, field, size


class Shop(World):
    """One clerk and a queue."""

    patience = size(2, "how many may wait")
    waiting = field(upto(patience), init=0, about="who waits")
    asleep = field(FLAG, init=False, about="the clerk sleeps")


@rule("SHOP-1")
def arrive(s, t):
    """Somebody comes."""
    t.require(s.waiting < s.patience)
    t.waiting = s.waiting + 1


@rule("SHOP-2")
def serve(s, t):
    """The clerk serves whoever came first."""
    t.require(s.waiting > 0, not_(s.asleep))
    t.waiting = s.waiting - 1


@rule("SHOP-3")
def doze(s, t):
    """The clerk falls asleep."""
    t.require(s.waiting == 0)
    t.asleep = True


@always("SHOP-2", why="who waits too long leaves")
def queue_is_short(s):
    """At most one waits."""
    return s.waiting <= 1


@sometimes("SHOP-3", why="it happens")
def clerk_sleeps(s):
    """The clerk sleeps."""
    return s.asleep


SHOP = Model(
    "shop",
    "a shop",
    Shop,
    rules=(arrive, serve, doze),
    properties=(queue_is_short, clerk_sleeps),
    scopes=(Scope("usual", "two may wait"), Scope("strict", "one may wait", {"patience": 1})),
)
'''


def write_shop(folder: Path, name: str = "shop.py", text: str = SHOP) -> Path:
    """Write the user's file."""
    path = folder / name
    path.write_text(text)
    return path


@cache
def hasty() -> tuple[Story, BoundedModel]:
    """Tell the story of a manager that commits while another aborts."""
    steps = ("Prepare rm1", "CountPrepared rm1", "DecideCommit", "ChooseAbort rm2", "ObeyCommit rm1")
    bounded = find_model("2pc").at("hasty")
    return tell(bounded, bounded.initial[0], instances_of(bounded, steps), about="managers_agree"), bounded


def instances_of(bounded: BoundedModel, steps: tuple[str, ...]) -> list[Instance]:
    """Find instances by their rule and the labels of their arguments."""
    found = {
        " ".join([one.rule.name, *map(str, bounded.label_arguments(one).values())]): one
        for one in bounded.instances
    }
    return [found[step] for step in steps]


def write_hasty(folder: Path) -> Path:
    """Write that story to a file."""
    story, bounded = hasty()
    path = folder / "hasty.json"
    write_story(path, story, bounded, "2pc")
    return path
