"""``nomadspec verify`` of a model of one's own: a broken promise is a violation with the shortest story."""

import json
from pathlib import Path
from typing import Final

import pytest

from tests.checkers.cli.calling import call
from tests.checkers.cli.schemas import check_output

pytestmark = pytest.mark.usefixtures("whole_second_look")

SHOP: Final = '''"""A shop where customers queue up, and slips."""

from nomadspec.model.language.domain import FLAG, upto
from nomadspec.model.language.logic import not_
from nomadspec.model.language.model import Model
from nomadspec.model.language.scope import Scope
from nomadspec.model.language.property import always
from nomadspec.model.language.rule import rule
from nomadspec.model.errors import StyleError
from nomadspec.model.language.world import World, field, ids, queue, size


class Shop(World):
    """A shop."""

    most = size(2, "how many are served")
    customers = ids("customer", 2, "customers")
    served = field(upto(most), init=0, about="how many were served")
    is_open = field(FLAG, init=False, about="the shop is open")
    line = queue(customers, about="who waits")


@rule("S-1")
def open_up(s, t):
    """The shop opens."""
    t.require(not_(s.is_open))
    t.is_open = True


@rule("S-2", customer=Shop.customers)
def line_up(s, t, customer):
    """A customer joins the line."""
    t.require(s.is_open, not_(s.line.has(customer)))
    t.line.push(customer)


@rule("S-3", customer=Shop.customers)
def serve(s, t, customer):
    """A customer is served."""
    t.require(s.line.head(customer), s.served < s.most)
    t.line.pop(customer)
    t.served = s.served + 1


@always("S-4", why="a shop has an end")
def few_are_served(s):
    """No more are served than may be."""
    return s.served <= s.most


SCOPES = (Scope("one", "a single customer", {"customers": 1}), Scope("default", "all"))
RULES = (open_up, line_up, serve)
MODEL = Model("shop", "a shop", Shop, RULES, (few_are_served,), SCOPES, is_at_rest=lambda s: True)
'''

PUSHED_TWICE: Final = ("s.is_open, not_(s.line.has(customer))", "s.is_open")
DIVIDED: Final = (
    "return s.served <= s.most",
    """return divide(s.most - s.served) >= 0


def divide(value):
    try:
        return 1 // value
    except StyleError:
        return value


divide.__module__ = "nomadspec.checkers.shop"  # nobody reads before what belongs to a checker""",
)
SLIPS: Final = {
    "a domain": (("s.served < s.most)", "s.is_open)"), "domains_are_kept", 7),
    "a queue": (PUSHED_TWICE, "queues_are_used_well", 3),
    "an exception": (DIVIDED, "rules_do_not_fail", 5),
    "a property": (("s.served <= s.most", "s.served < s.most"), "few_are_served", 5),
}
"""What is put for what in the file, what breaks, and after how many steps."""


def write_shop(folder: Path, old: str = "", new: str = "") -> str:
    """Write the file of a user, with something put for something else."""
    path = folder / "shop.py"
    path.write_text(SHOP.replace(old, new) if old else SHOP)
    return f"{path}:MODEL"


@pytest.mark.parametrize("name", SLIPS)
def test_a_broken_promise_exits_with_1_and_the_shortest_story(tmp_path: Path, name: str) -> None:
    change, broken, steps = SLIPS[name]
    story = tmp_path / "story.json"
    called = call("verify", "--model", write_shop(tmp_path, *change), "--story-out", story)
    told = json.loads(story.read_text())

    assert 1 == called.code
    assert f"{broken} is " in called.out
    assert "VIOLATED" in called.out.splitlines()[-1]
    assert (0, steps) == (call("story", story).code, len(told["steps"]))


@pytest.mark.parametrize("name", SLIPS)
def test_the_object_says_so(tmp_path: Path, name: str) -> None:
    change, broken, steps = SLIPS[name]
    called = call("verify", "--model", write_shop(tmp_path, *change), "--json")
    found = [finding for search in called.data["explored"] for finding in search["findings"]]

    check_output(called.data)
    assert (1, "violated", []) == (called.code, called.data["verdict"], called.data["proved"])
    assert [(broken, steps)] == [(one["property"], one["steps"]) for one in found]


def test_what_holds_in_all_scopes_is_proved_too(tmp_path: Path) -> None:
    called = call("verify", "--model", write_shop(tmp_path), "--json", "--junit", tmp_path / "junit.xml")
    results = {one["property"]: one["result"] for one in called.data["proved"][0]["results"]}

    check_output(called.data)
    assert (0, "holds", []) == (called.code, called.data["verdict"], called.data["left_out"])
    assert ["one", "default"] == [one["scope"] for one in called.data["explored"]]
    assert "proved-unbounded" == results["few_are_served"]
    assert "few_are_served" in (tmp_path / "junit.xml").read_text()


@pytest.mark.parametrize("more", [("--model", "2pc"), ("--ray",)])
def test_it_stands_alone(tmp_path: Path, more: tuple[str, ...]) -> None:
    assert 2 == call("verify", "--model", write_shop(tmp_path), *more).code


def test_it_is_shown_as_a_page(tmp_path: Path) -> None:
    change, broken, _ = SLIPS["a queue"]
    called = call("verify", "--model", write_shop(tmp_path, *change), "--report", tmp_path / "page.html")

    assert 1 == called.code
    assert broken in (tmp_path / "page.html").read_text()


def test_a_story_of_published_models_is_not_kept(tmp_path: Path) -> None:
    assert 2 == call("verify", "--model", "2pc", "--story-out", tmp_path / "story.json").code
