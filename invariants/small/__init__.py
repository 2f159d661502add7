"""What must be true of the small models."""
