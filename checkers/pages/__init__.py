"""Results as pages for a browser: one file each, which asks nobody for anything."""
