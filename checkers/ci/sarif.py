"""What is wrong as SARIF 2.1.0, which code scanning shows beside the lines that promise otherwise."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256
from typing import Final
from urllib.parse import quote

from nomadspec.checkers.ci.case import Case, Outcome, Outcomes
from nomadspec.checkers.escaping import escape_line, write_json
from nomadspec.checkers.written_by import NAME, VERSION

_SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS: Final = {Outcome.FAILED: "error", Outcome.ERROR: "warning"}


def write_sarif(found: Outcomes) -> str:
    """Write what failed or could not be judged as one document."""
    rules = sorted({_rule_of(case) for case in found.wrong})
    run = {
        "tool": {
            "driver": {"name": NAME, "version": VERSION, "rules": [_describe(name) for name in rules]},
        },
        "invocations": [{"executionSuccessful": found.count(Outcome.ERROR) == 0}],
        "results": [_result_of(case, rules) for case in found.wrong],
    }
    return write_json({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _rule_of(case: Case) -> str:
    return escape_line(case.name)


def _describe(name: str) -> dict[str, object]:
    """Write a rule; without a description a page of code scanning has no title."""
    return {"id": name, "shortDescription": {"text": name.replace("_", " ")}}


def _result_of(case: Case, rules: list[str]) -> dict[str, object]:
    text = replace(case, message=f"{case.group}: {case.message}").tell(with_message=True)
    whole: dict[str, object] = {
        "ruleId": _rule_of(case),
        "ruleIndex": rules.index(_rule_of(case)),
        "level": _LEVELS[case.outcome],
        "message": {"text": text},
        "partialFingerprints": {
            "case/v1": sha256(f"{case.group}\0{case.name}".encode(errors="surrogatepass")).hexdigest()
        },
    }
    if case.place is not None:
        place = {
            "artifactLocation": {"uri": quote(escape_line(case.place.file))},
            "region": {"startLine": case.place.line},
        }
        whole["locations"] = [{"physicalLocation": place}]
    return whole
