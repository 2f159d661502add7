import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nomadspec.model.cluster.constraints.regex_program import is_match
from nomadspec.model.cluster.constraints.regex_syntax import compile_regex, is_regex_match


@pytest.mark.parametrize(
    "expression",
    [
        *["(", ")", "*", "+", "(*)", "a|*", "[", "[]", "[a", "[z-a]", "[a-\\d]", "[[:foo:]]", "\\"],
        *["a**", "a+*", "a???", "a{2}{3}", "a{2,1}", "a{1001}", "(a{100}){11}", "{2}"],
        *["(?=a)", "(?<!a)", "(ab)\\1", "\\8", "\\Z", "\\y", "\\x{110000}", "[\\b]"],
        *["(?i", "(?-)", "(?x)", "(?P<n>a)(?P<n>b)", "(?P<>a)", "\\pX", "\\p{Foo}"],
    ],
)
def test_what_the_server_refuses_is_no_expression(expression: str) -> None:
    """FEAS-31."""
    assert compile_regex(expression) is None
    assert not is_regex_match(expression, expression)


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        *[("", "abc"), ("a{,2}", "a{,2}"), ("{", "{"), ("a{1", "a{1"), ("x|", ""), ("()", "")],
        *[
            ("^*a", "a"),
            ("a??b", "b"),
            ("(a{10}){100}", "a" * 1000),
            ("(a{0}){1000}", ""),
            ("(?:ab){2}", "abab"),
        ],
        *[
            ("[]a]", "]"),
            ("[^]a]", "b"),
            ("[a-]", "-"),
            ("[-a]", "-"),
            ("[\\d-z]", "-"),
            ("[a[:digit:]]", "7"),
        ],
        *[("[^a]", "\n"), ("[[:^alpha:]]", "1"), ("[[:a]", ":"), ("[\\x41-\\x{43}]", "B"), ("\\_", "_")],
        *[("\\Q*[\\E+", "*["), ("\\Qa", "a"), ("\\101\\07", "A\a"), ("\\t\\v", "\t\v"), ("\\pL\\PL", "a1")],
        *[("\\p{^L}", "1"), ("\\p{Greek}+$", "λό"), ("(?i)straSSE", "STRAßE".replace("ß", "ss"))],
        *[("(?i)k", "\u212a"), ("(?i:a)b", "Ab"), ("(?i)a(?-i)b", "Ab"), ("(?s).", "\n"), ("(?U)a+", "a")],
        *[
            ("(?m)^b$", "a\nb\nc"),
            ("(?P<n>a)(?<m>b)", "ab"),
            ("\\Aa\\z", "a"),
            ("\\Bb", "ab"),
            ("日.", "日本"),
        ],
    ],
)
def test_what_the_server_reads_matches(expression: str, text: str) -> None:
    """FEAS-31."""
    assert is_regex_match(expression, text)


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        *[(".", "\n"), ("a$", "a\n"), ("\\d", "٣"), ("\\s", "\v"), ("\\w", "é"), ("(?i:a)b", "AB")],
        *[("(?i)[^k]", "K"), ("((?i)a)b", "AB"), ("^b", "a\nb"), ("\\bb", "ab"), ("a{2,3}$", "ba")],
    ],
)
def test_what_the_server_would_not_match_does_not(expression: str, text: str) -> None:
    """FEAS-31."""
    assert not is_regex_match(expression, text)


ATOMS = st.sampled_from(["a", "b", ".", "[ab]", "[^a]", "\\w", "^", "\\z", "\\b", "(?:)", "-"])
REPEATS = st.sampled_from(["*", "+", "?", "{2}", "{1,2}", "{0,2}", "{2,}", "*?", "+?"])
EXPRESSIONS = st.recursive(
    ATOMS,
    lambda inner: st.one_of(
        st.builds("{}{}".format, inner, inner),
        st.builds("(?:{}|{})".format, inner, inner),
        st.builds("(?:{}){}".format, inner, REPEATS),
    ),
    max_leaves=8,
)


@given(EXPRESSIONS, st.text("ab-\n", max_size=6))
def test_where_python_means_the_same_it_says_the_same(expression: str, text: str) -> None:
    """FEAS-31."""
    python = re.compile(expression.replace("\\z", "\\Z"), re.ASCII)

    assert bool(python.search(text)) == is_regex_match(expression, text)


@given(st.text("a(*+?{2,}[]^-$|\\.:i)dQEpL", max_size=12))
def test_any_text_is_an_expression_or_none(expression: str) -> None:
    """FEAS-31."""
    assert is_regex_match(expression, "a") in {True, False}


def test_an_expression_that_would_fill_the_memory_is_none() -> None:
    assert compile_regex("(" + "a" * 5000 + "){1000}") is None


class Searched(str):  # noqa: SLOT000 -- it counts
    """A text that counts how often somebody looks for something in it."""

    searches = 0

    def find(self, *asked: Any) -> int:
        self.searches += 1
        return super().find(*asked)


@pytest.mark.parametrize("many", [2_000, pytest.param(50_000, marks=pytest.mark.deep)])
@pytest.mark.parametrize(("opening", "searches"), [("[", 0), ("[:", 1), ("^[[:", 1)])
def test_many_brackets_are_read_once(opening: str, searches: int, many: int) -> None:
    """FEAS-31: to look for the end of each named class took 40 seconds of a processor."""
    expression = Searched(opening * many)

    assert not is_regex_match(expression, "a")
    assert searches == expression.searches


@pytest.mark.parametrize(
    ("opening", "closing", "most"),
    [("(", ")", 999), ("(?:", ")*", 999), ("(", ")*", 499), ("(?:", ")", None)],
)
def test_groups_and_repetitions_nest_as_deep_as_go_lets_them(
    opening: str, closing: str, most: int | None
) -> None:
    def nest(levels: int) -> str:
        return opening * levels + "a" + closing * levels

    assert compile_regex(nest(most or 2000)) is not None
    assert most is None or compile_regex(nest(most + 1)) is None


def test_repetitions_inside_each_other_do_not_double() -> None:
    nested = compile_regex("(" * 60 + "a" + "+)" * 60)

    assert nested is not None
    assert len(nested) < 1000
    assert is_match(nested, "baaa")
    assert not is_match(nested, "b")


@given(st.integers(0, 4), st.integers(0, 3) | st.none(), st.integers(0, 9))
def test_counted_repetitions_match_as_often_as_they_say(least: int, more: int | None, times: int) -> None:
    bounds = f"{{{least},{'' if more is None else least + more}}}"
    program = compile_regex(f"^(?:ab){bounds}$")

    assert program is not None
    assert is_match(program, "ab" * times) == (least <= times and (more is None or times <= least + more))
