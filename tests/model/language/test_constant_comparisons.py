"""Comparisons whose answer is always the same are refused, with file and line."""

import pytest

from nomadspec.model.errors import NamingError, StyleError
from tests.model.language.toys import Mood, compile_text, load_rule, load_rule_text


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("t.require(s.most != '3')", "it compares with the text '3', which nothing in a world is"),
        (
            "t.require(not_('open' == s.most))",
            "it compares with the text 'open', which nothing in a world is",
        ),
    ],
)
def test_what_is_always_the_same_is_no_comparison(line: str, problem: str) -> None:
    with pytest.raises(StyleError, match=rf"^Rule Serve \(shop.py:2\): {problem}"):
        assert load_rule_text(line).instances


@pytest.mark.parametrize(
    "line",
    ["t.require(mood != 'CALM')", "t.require(not_(mood == 'calm'))", "t.require(mood == 'CALM')"],
)
def test_an_argument_is_no_text(line: str) -> None:
    with pytest.raises(
        NamingError, match=r"^Rule Serve \(shop.py:2\): A number, an id or a status is compared"
    ):
        load_rule(compile_text("serve(s, t, mood)", line), mood=Mood)


@pytest.mark.parametrize(
    "line",
    [
        "t.require(s.line.has(c) == False)",
        "t.require(s.line.head(c) == s.is_open)",
        "has = s.line.has; t.require(not_(has(c)))",
        "which = 'a'; t.require(s.busy[c] if which == 'a' else s.is_open)",
        "t.require(*(s.busy[c] for n in ('a', 'b') if n == 'a'))",
    ],
)
def test_what_is_asked_may_be_compared(line: str) -> None:
    assert load_rule_text(line).instances


@pytest.mark.parametrize("name", ["name", "value"])
def test_an_argument_over_an_enum_is_a_number_and_says_so(name: str) -> None:
    problem = (
        f"it asks a plain number for its {name}: an argument or value over an enum is its number; compare"
    )
    with pytest.raises(StyleError, match=rf"^Rule Serve \(shop.py:2\): {problem}"):
        load_rule(compile_text("serve(s, t, mood)", f"t.require(mood.{name} == 1)"), mood=Mood)

    load_rule(compile_text("serve(s, t, mood)", f"t.require(Mood(mood).{name} != 1)"), mood=Mood)


@pytest.mark.parametrize(
    "line", ["own = {k: s.busy[k] for k in s.clerks}", "t.require(for_all(s.busy[k] for k in {c}))"]
)
def test_interchangeable_ids_are_no_keys(line: str) -> None:
    problem = r"an id of a set of interchangeable ones .* write a function .* i in s\.ids if i != j\."
    with pytest.raises(NamingError, match=rf"^Rule Serve \(shop.py:2\): {problem}"):
        load_rule_text(line)
