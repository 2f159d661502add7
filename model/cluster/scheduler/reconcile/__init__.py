"""Reconcilers: what is compared with what shall be, before any node is looked for."""
