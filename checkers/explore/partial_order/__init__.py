"""Partial order: of steps that do not disturb each other, only some are taken where the rest can wait."""
