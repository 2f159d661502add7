"""The cluster as it really is, field by field: objects, the state store, schedulers and components."""
