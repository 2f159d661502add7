"""The public names of the package, and its version."""

import importlib.metadata
import subprocess
import sys
import tomllib

import pytest

import nomadspec
from nomadspec import FLAG, NONE, Id, Ids, World, field, ids, opt, rule, size, upto
from tests.tidy.source import ROOT

WORLDS = {
    "FLAG",
    "NONE",
    "SKIP",
    "Id",
    "Map",
    "World",
    "counter",
    "field",
    "ids",
    "index",
    "opt",
    "queue",
    "size",
}
WORLDS |= {"Ids", "MapOf", "Numbered", "Record", "Size", "StatusEnum", "feature", "record", "tally", "upto"}
OPERATORS = {
    "Value",
    "all_of",
    "any_of",
    "count",
    "exists",
    "for_all",
    "iff",
    "implies",
    "ite",
    "maximum",
    "minimum",
}
OPERATORS |= {"none_of", "not_", "one_of", "remember", "total"}
RULES = {"rule", "rules_in", "strong", "weak", "where"}
PROPERTIES = {
    "By",
    "always",
    "eventually",
    "eventually_always",
    "leads_to",
    "lemma",
    "properties_in",
    "sometimes",
    "step",
    "unless",
    "until",
}
REFINEMENTS = {"copy_queue", "refines"}
MODELS = {"Model", "Scope", "find_model", "list_model_names"}
ENGINES = {"dag", "explore", "lifecycle", "load_model", "machine_of", "prove", "replay", "scenario"}
ENGINES |= {"schedule", "simulate"}
PUBLIC_NAMES = {"__version__"} | WORLDS | OPERATORS | RULES | PROPERTIES | REFINEMENTS | MODELS | ENGINES


def test_the_public_names_are_these() -> None:
    assert sorted(PUBLIC_NAMES) == sorted(nomadspec.__all__) == dir(nomadspec)


def test_every_public_name_is_there() -> None:
    assert [] == [name for name in nomadspec.__all__ if not hasattr(nomadspec, name)]


def test_another_name_is_not_there() -> None:
    with pytest.raises(AttributeError, match="no attribute 'worlds'"):
        nomadspec.worlds  # noqa: B018 -- asking is the test


def test_importing_the_package_imports_nothing_else() -> None:
    code = "import sys, nomadspec; print([name for name in sys.modules if name.startswith('nomadspec.')])"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)

    assert "[]" == done.stdout.strip()


class Clerk(Id):
    """Who serves."""


class Desk(Id):
    """Where."""


class Shop(World):
    """Its sets say what their ids are, to rules and to type checkers."""

    clerks: Ids[Clerk] = ids("clerk", 2, "who serves")
    desks: Ids[Desk] = ids("desk", 2, "where")
    at = field(clerks, opt(desks), init=NONE, about="where the clerk is")


class Plain(World):
    """Its sets say nothing, and type checkers ask for nothing."""

    most = size(3, "how many")
    clerks = ids("clerk", most, "who serves")
    pair = field(clerks, clerks, FLAG, init=False, about="they talk")
    four = field(clerks, clerks, clerks, clerks, upto(most), init=0, about="how often they meet")


def test_a_model_says_with_public_names_what_its_ids_are() -> None:
    @rule("X-1")
    def sit(s: Shop, t: Shop, clerk: Clerk, desk: Desk) -> None:
        """A clerk sits down."""
        t.at[clerk] = desk
        t.at[desk] = desk  # type: ignore[index] # a type checker knows the sets

    assert (("clerk", Shop.clerks), ("desk", Shop.desks)) == sit.arguments


def test_a_model_need_not_say_what_its_ids_are() -> None:
    @rule("X-1", clerk=Plain.clerks)
    def talk(s: Plain, t: Plain, clerk: Id) -> None:
        """A clerk talks."""
        t.pair[clerk, clerk] = True
        t.four[clerk, clerk, clerk, clerk] = s.most

    assert (("clerk", Plain.clerks),) == talk.arguments


def test_there_is_one_version() -> None:
    """It stands in the package; what is installed and built takes it from there."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]

    assert ("version" in project, "version" in project["dynamic"]) == (False, True)
    assert nomadspec.__version__ == importlib.metadata.version("nomadspec")
