"""Judges recorded calls without their choices: whether any choice leads to what came out."""
