"""The algorithms that compiled searches share: plain Python, and by translator.py machine code as well."""
