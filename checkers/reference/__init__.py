"""The pages of docs/reference, written from the registry by ``python -m nomadspec.checkers.reference``."""
