"""The replicated state store as an immutable value, and what each log entry does to it."""
