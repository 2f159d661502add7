"""Known defects that show in recordings are named by quirk and finding."""

from click import unstyle

from nomadspec.checkers.report.defects import list_defects, render_defects


def test_a_defect_is_named_with_its_findings() -> None:
    counted = {("03/S5", "no_node_is_oversubscribed"): 4}
    (told,) = list_defects(counted)

    assert told == {
        "quirk": "03/S5",
        "title": "A plan whose optimistic application fails may still commit.",
        "findings": ["F-01"],
        "broken": "no_node_is_oversubscribed",
        "times": 4,
        "happens": told["happens"],
    }
    shown = " ".join(unstyle(render_defects(counted)).split())
    assert shown.startswith(
        "known defect 03/S5: A plan whose optimistic application fails may still commit, F-01; 4 times: "
        "no_node_is_oversubscribed: The applier"
    )


def test_a_defect_of_schedulers_is_named_too() -> None:
    (told,) = list_defects({("X-50", "what_a_successful_deployment_promised_runs"): 1})

    assert isinstance(told["findings"], list)
    assert any(each.startswith("D-") for each in told["findings"])
