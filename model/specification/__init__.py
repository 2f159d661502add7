"""What the specification names: quirks and profiles."""
