"""One module a family of recordings: ``JUDGES`` maps the bare name of a file to who judges its lines."""
