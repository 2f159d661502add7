"""What the words of a call select."""

from typing import NoReturn

import pytest

from nomadspec.checkers.report.searching import find_by_words
from nomadspec.checkers.report.selecting import Selected, select

WEB, API, NODE = "web, a job (X-01)", "api, a job (X-02)", "node, where jobs run"
IDS = {"web": [WEB], "X-01": [WEB], "X-02": [API], "X-03": [WEB, NODE]}


def choose(wanted: str) -> Selected[str]:
    def refuse(missing: str) -> NoReturn:
        raise LookupError(missing)

    return select(
        wanted,
        lambda one: IDS.get(one, []),
        lambda words: find_by_words([WEB, API, NODE], words, lambda one: [one.partition(" (")[0]]),
        refuse,
    )


@pytest.mark.parametrize(
    ("wanted", "found"),
    [("web", [WEB]), ("X-03", [WEB, NODE]), ("X-02 X-01", [API, WEB]), ("X-01 web X-03", [WEB, NODE])],
)
def test_each_thing_that_is_named_is_found_once(wanted: str, found: list[str]) -> None:
    assert Selected(found, is_list=False) == choose(wanted)


@pytest.mark.parametrize(("wanted", "found"), [("job", [WEB, API, NODE]), ("a job", [WEB, API])])
def test_what_has_all_words_is_a_list(wanted: str, found: list[str]) -> None:
    assert Selected(found, is_list=True) == choose(wanted)


def test_words_beside_an_id_are_to_be_had_too() -> None:
    assert Selected([NODE], is_list=False) == choose("X-03 where")
    with pytest.raises(LookupError, match="X-02 where"):
        choose("X-02 where")


@pytest.mark.parametrize(
    ("wanted", "missing"), [("moon", "moon"), ("web X-09", "X-09"), ("moon phase", "moon phase")]
)
def test_what_is_not_found_is_refused(wanted: str, missing: str) -> None:
    with pytest.raises(LookupError, match=f"^{missing}$"):
        choose(wanted)
