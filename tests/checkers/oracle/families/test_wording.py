import pytest

from nomadspec.checkers.oracle.context import Context
from nomadspec.checkers.oracle.families.wording import word_error
from nomadspec.model.cluster.admission.complaint import Complaint, complain, complain_freely
from nomadspec.model.specification.profiles import NOMAD_2_0

GROUP = Complaint("Group g failed: ", (complain("a"), complain("b")))
ERRORS = (GROUP, complain("c"))
TEXT = "2 errors occurred:\n\t* Group g failed: 2 errors occurred:\n\t* a\n\t* b\n\n\n\t* c\n\n"


@pytest.mark.parametrize(
    "recorded",
    [
        TEXT,
        TEXT.rstrip(),
        "2 errors occurred:\n\t* c\n\t* Group g failed: 2 errors occurred:\n\t* b\n\t* a\n\n\n\n",
    ],
)
def test_bullets_are_a_set(recorded: str) -> None:
    assert recorded == word_error(recorded, ERRORS, Context(NOMAD_2_0))


@pytest.mark.parametrize(
    "recorded",
    [
        TEXT.replace("* a", "* A"),
        TEXT.replace("\t* a\n", ""),
        TEXT.replace("2 errors", "3 errors"),
        TEXT + "\t* d\n",
        "",
    ],
)
def test_another_text_is_answered_with_the_models(recorded: str) -> None:
    assert TEXT == word_error(recorded, ERRORS, Context(NOMAD_2_0))


def test_a_wording_that_nobody_gives_may_be_any() -> None:
    context = Context(NOMAD_2_0)
    recorded = "2 errors occurred:\n\t* in other words\n\t* c\n\n"

    assert recorded == word_error(recorded, (complain_freely("in our words"), complain("c")), context)
    assert ["worded otherwise: in other words"] == context.notes
