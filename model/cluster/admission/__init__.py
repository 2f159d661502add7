"""What happens to a job on its way in: defaults, implied constraints, validation."""
