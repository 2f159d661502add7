"""The command line: one small module for each verb, imported only when the verb is called."""
