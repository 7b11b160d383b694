"""What the hook and the strict mode share: which expression of a frame is computed, and the shapes of its operands.

Nothing here runs code of the program: names, attributes and items are looked up, and shapes are read, without calling a
method, a property or an operator of a class that the program defines.
"""
