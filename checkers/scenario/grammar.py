"""The one grammar of scenarios, which the files of `statements/` fill."""

from typing import Final

from nomadspec.checkers.scenario.language import Grammar

GRAMMAR: Final = Grammar()
statement = GRAMMAR.statement
"""Register what a form of lines does."""
