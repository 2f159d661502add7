import pytest

from nomadspec.model.cluster.policy.cron_fields import DAY_OF_WEEK, HOUR, MINUTE, MONTH, CronError


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("*", set(range(24))),
        ("7", {7}),
        ("8-10", {8, 9, 10}),
        ("*/6", {0, 6, 12, 18}),
        ("1-9/4", {1, 5, 9}),
        ("20/2", {20, 22}),
        ("1,3,3", {1, 3}),
    ],
)
def test_what_a_text_selects(text: str, values: set[int]) -> None:
    assert values == HOUR.list_values(text)


def test_names_stand_for_numbers() -> None:
    assert {1, 2, 12} == MONTH.list_values("jan-FEB,December")
    assert {1, 2, 3, 4, 5} == DAY_OF_WEEK.list_values("MON-fri")


@pytest.mark.parametrize("part", ["60", "5-60", "9-5", "*/0", "", "x", "-1", "1.5"])
def test_what_does_not_fit_is_refused_by_name(part: str) -> None:
    with pytest.raises(CronError, match="syntax error in minute field") as refusal:
        MINUTE.list_values(f"0,{part}")

    assert str(refusal.value).endswith(f"'{part}'")


def test_numbers_of_any_length_are_read() -> None:
    assert {7} == HOUR.list_values("0" * 5000 + "7")
    for part in ("9" * 5000, "*/" + "9" * 5000):
        with pytest.raises(CronError, match="syntax error in minute field"):
            MINUTE.list_values(part)
