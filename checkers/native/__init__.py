"""Compiled rules: the traced rules and properties of a bounded model as machine code, made by llvmlite.

The package is optional. What it computes is what the interpreter computes, in the same order.
"""
