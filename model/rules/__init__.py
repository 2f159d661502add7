"""The cluster's actors, one file each: broker, blocked tracker, plan applier, watchers, collection."""
