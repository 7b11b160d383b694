"""Tensor broadcasting by every rule: NumPy, ONNX, OpenVINO, PaddlePaddle (PDPD), SONNX.

>>> import numpy, broadloom
>>> a, b = numpy.arange(6.0).reshape(2, 3), numpy.array([10.0, 20.0])
>>> broadloom.add(a, b, rule="pdpd", axis=0).tolist()
[[10.0, 11.0, 12.0], [23.0, 24.0, 25.0]]
>>> broadloom.infer_shape("pdpd", [(2, 3, 4, 5), (3, 1)], axis=1)
(2, 3, 4, 5)

Each operator of Broadloom is a function of its name in words separated by underscores: `squared_difference`, `and_`.
"""

# Each module lists in __all__ what is public; _core makes its list from the core's table of operators.
from ._alignment import *
from ._broadcasts import *
from ._core import *
from ._errors import *
from ._plans import *
from ._strict import *

__version__ = "0.1.0"


def load_ipython_extension(shell: object) -> None:
    """`%load_ext broadloom` in IPython: explains shape errors below their tracebacks, as `import broadloom.hook` does."""
    from . import hook

    hook.install_in_ipython(shell)


def unload_ipython_extension(shell: object) -> None:
    """`%unload_ext broadloom` in IPython."""
    from . import hook

    hook.uninstall()
