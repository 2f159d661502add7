"""Arithmetic of policies: rescheduling, disconnected clients, names, in place or destructive, launches."""
