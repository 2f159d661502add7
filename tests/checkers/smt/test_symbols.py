"""No name of a model is taken for one of the engine's own, whatever its parts are called."""

import re
from collections.abc import Iterator
from dataclasses import fields, replace
from functools import cache
from itertools import product
from pathlib import Path

import pytest
import z3

from nomadspec.checkers.progress import Silence
from nomadspec.checkers.smt import second_solver
from nomadspec.checkers.smt.algebra import list_parts
from nomadspec.checkers.smt.counts import list_count_facts
from nomadspec.checkers.smt.emit import QuestionFiles, write_question
from nomadspec.checkers.smt.induction import find_inductive
from nomadspec.checkers.smt.open_induction import OpenInduction
from nomadspec.checkers.smt.open_world import OpenWorld
from nomadspec.checkers.smt.question import Answer, Asking, Patience
from nomadspec.checkers.smt.symbols import Role, is_of, name_symbol, new_number
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.language.bounded import BoundedModel
from nomadspec.model.language.logic import Value
from nomadspec.model.language.property import Kind
from tests.checkers.smt.emit_status import status_of as status_asked
from tests.checkers.smt.named import Names, list_false, list_true, make_model
from tests.tidy.source import list_sources

OLD = ("counted", "place0", "asked0", "sum!0", "some!0", "first!0", "last!0")
"""What unknowns of the engine were called once."""
KEPT = ("select", "store", "true", "assert", "let", "forall", "Int", "and")
"""Words of the solver and of the standard."""
HARD = ("a|b", "a\\b", "a:b", "größe", "")
PARTS = tuple(one.name for one in fields(Names))
MAKERS = re.compile(
    r"z3\.(Ints?|Bools?|Reals?|Consts?|Strings?|Function|Array|BitVecs?|(Int|Bool|Real)Vector|Fresh\w+)\("
)


def bind(names: Names) -> BoundedModel:
    """Bound the model whose parts have these names."""
    return make_model(names).at(profile="intended")


def list_said(bounded: BoundedModel) -> Iterator[Value]:
    """List all that the solver is told of a model, for any number of objects."""
    world = OpenWorld(bounded, z3.Context())
    induction = OpenInduction(world, Patience(None, 1.0))
    counts = {count.name: count for step in world.steps for count in step.counts.values()}
    yield from world.background
    yield from (premise for step in world.starts for premise in step.premises)
    goals = [prop.name for prop in bounded.model.list_properties(Kind.STEP)]
    for name in (*induction.candidates, *goals):
        for step in world.steps:
            yield from step.premises
            stated, more = world.state_counted(name, step)
            counts |= {count.name: count for count in more}
            yield stated
    yield from list_count_facts(counts.values())


def list_read(reference: str) -> Iterator[Value]:
    """List what the rules and properties of a published model say of the world before a step."""
    world = OpenWorld(find_model(reference).at(profile="intended"), z3.Context())
    yield from (premise for step in (*world.starts, *world.steps) for premise in step.premises)
    yield from (world.state_candidate(name, world.before) for name in world.candidates)
    yield from list_count_facts([count for step in world.steps for count in step.counts.values()][:6])


@cache
def list_symbols(reference: str) -> tuple[str, ...]:
    """List the names of all unknowns of a model, and of what quantifiers bind."""
    said = list_said(bind(Names())) if reference == "named" else list_read(reference)
    found: dict[str, None] = {}
    for part in list_parts([term for term in said if z3.is_expr(term)]):
        if z3.is_quantifier(part):
            found |= {part.var_name(place): None for place in range(part.num_vars())}
        elif z3.is_app_of(part, z3.Z3_OP_UNINTERPRETED):
            found[part.decl().name()] = None
    return tuple(found)


def write_said(names: Names) -> str:
    """Write all that the solver is told, with the names of the parts taken back."""
    text = "\n".join(term.sexpr() for term in list_said(bind(names)) if z3.is_expr(term))
    usual = Names()
    roles = {
        "aim": [Role.SIZE],
        "size": [Role.SIZE],
        "scalar": [Role.FIELD, Role.LOST],
        "table": [Role.FIELD, Role.LOST],
        "total": [Role.TOTAL, Role.LOST],
        "things": [Role.EACH, Role.MEMBER, Role.AROUND],
    }
    given = {
        name_symbol(role, getattr(names, part)): name_symbol(role, getattr(usual, part))
        for part, known in roles.items()
        for role in known
    }
    inner, other = (_name_inside(one.total) for one in (names, usual))
    text = text.replace(f"{inner}%2E", f"{other}%2E")
    words = re.compile(r"[^\s()]+")
    return " ".join(_take_back(word, given) for word in words.findall(text))


def _name_inside(total: str) -> str:
    """Write the name of a total as it stands within the names of witnesses."""
    return name_symbol(Role.SOME, name_symbol(Role.TOTAL, total)).partition(".")[2]


def _take_back(word: str, given: dict[str, str]) -> str:
    """Give the usual name of an unknown: members of a set have a number after it."""
    name, point, number = word.rpartition(".") if word.count(".") > 1 else (word, "", "")
    return f"{given.get(name, name)}{point}{number}"


def prove_open(names: Names, asking: Asking | None = None) -> frozenset[str]:
    """Name what is proved for any number of objects."""
    induction = OpenInduction(OpenWorld(bind(names), z3.Context()), Patience(None, 0.2, asking))
    return frozenset(find_inductive(induction, [], Silence()).proved)


def call_parts(words: tuple[str, ...], shift: int) -> Names:
    """Call each part by one of the words."""
    chosen = [words[(place + shift) % len(words)] for place in range(len(PARTS))]
    return Names(**dict(zip(PARTS, chosen, strict=True)))


def test_roles_are_words_that_differ() -> None:
    names = [role.value for role in Role]

    assert len(set(names)) == len(names)
    assert all(re.fullmatch("[a-z]+", name) for name in names)


@pytest.mark.parametrize("words", list(product(HARD, repeat=2)))
def test_parts_can_be_read_back(words: tuple[str, str]) -> None:
    name = name_symbol(Role.FIELD, *words)

    assert name not in {
        name_symbol(Role.FIELD, *other) for other in product(HARD, repeat=2) if other != words
    }
    assert re.fullmatch(r"field\.[A-Za-z0-9_%]*\.[A-Za-z0-9_%]*", name)
    assert is_of(Role.FIELD, new_number(Role.FIELD, *words))
    assert not is_of(Role.SIZE, new_number(Role.FIELD, *words))


def test_what_it_speaks_of_has_all_roles_of_an_open_world() -> None:
    assert {
        "answer", "argument", "around", "each", "field", "first", "last", "new", "only", "own", "size",
        "some", "sum", "total",
    } <= {name.partition(".")[0] for name in list_symbols("named")}  # fmt: skip


@pytest.mark.deep
def test_a_part_named_after_any_unknown_changes_no_question() -> None:
    usual = write_said(Names())
    samples = [name for name in list_symbols("named") if not re.search("[1-9]", name)]
    words = (*samples, *OLD, *KEPT)

    for shift in range(0, len(words), 2):
        names = call_parts(words, shift)
        assert usual == write_said(names), names


@pytest.mark.deep
def test_sets_and_sizes_named_after_unknowns_of_other_models_change_no_question() -> None:
    usual = write_said(Names())
    names: dict[str, list[str]] = {}
    for name in (*list_symbols("core"), *list_symbols("2pc"), *list_symbols("kernel")):
        names.setdefault(name.partition(".")[0], []).append(name)

    for name in (one for found in names.values() for one in found[:1]):
        assert usual == write_said(replace(Names(), aim=name, label=name)), name


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name == "place0" else pytest.mark.deep) for name in OLD[:3]]
)
def test_what_was_proved_by_capture_is_proved_no_longer(name: str) -> None:
    proved = prove_open(Names(aim=name))

    assert proved.isdisjoint(prop.name for prop in list_false(Names()))
    assert proved.issuperset(prop.name for prop in list_true(Names()))


@pytest.mark.parametrize("shift", [0, *(pytest.param(shift, marks=pytest.mark.deep) for shift in (2, 4, 6))])
def test_names_change_no_answer_and_others_read_the_same(shift: int, tmp_path: Path) -> None:
    files = QuestionFiles(tmp_path, "named")
    proved = prove_open(call_parts((*OLD, *KEPT), shift), Asking(ledgers=(files,)))
    texts = [(tmp_path / one.file).read_text() for one in files.written]
    told = [text.partition(":status ")[2].partition(")")[0] for text in texts]

    assert proved.isdisjoint(prop.name for prop in list_false(Names()))
    assert proved.issuperset(prop.name for prop in list_true(Names()))
    assert len(texts) > 10
    for text, status in zip(texts, told, strict=True):
        assert status_asked(text) in {status, "unknown"} or status == "unknown"


if second_solver.is_there():

    def test_the_second_solver_reads_all_names() -> None:
        check = second_solver.CrossCheck("named")
        prove_open(call_parts((*OLD, *KEPT), 3), Asking(ledgers=(check,)))

        assert check.agreed > check.open


def test_a_name_with_any_signs_stands_in_a_file() -> None:
    unknown = [new_number(Role.FIELD, word) for word in (*HARD, *KEPT)]
    text = write_question("names", [z3.Distinct(*unknown)], Answer.BROKEN)

    assert "sat" == status_asked(text)
    assert text.isascii()


def test_unknowns_are_made_in_one_place() -> None:
    found = [
        f"{source.path}: {match[0]}"
        for source in list_sources("checkers/smt")
        for match in MAKERS.finditer(source.text)
        if not str(source.path).endswith("symbols.py")
    ]

    assert not found, "make unknowns with checkers/smt/symbols.py:\n" + "\n".join(found)


@pytest.mark.parametrize(
    "line", ["x = z3.Int('x')", "z3.Function('f', a)", "z3.FreshConst(a)", "z3.Bools('a b')"]
)
def test_an_unknown_made_elsewhere_is_found(line: str) -> None:
    assert MAKERS.search(line)
    assert not MAKERS.search("z3.IntVal(3), z3.IntSort(), z3.BoolVal(True)")
