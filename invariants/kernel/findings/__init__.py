"""Findings of the kernel by what they are about."""
