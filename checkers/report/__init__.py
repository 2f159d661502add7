"""How results are shown and kept: text for people, JSON for programs, stories as files."""
