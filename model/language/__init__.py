"""The words that a model is written in: worlds, records, rules, properties, terms, stories."""
