"""Broadcasting of Dask arrays by every rule, chunk by chunk, and Zarr arrays that are read and written whole or not at all.

>>> import dask.array as da
>>> import broadloom.dask
>>> x = da.ones((4, 6, 2), chunks=(2, 3, 2))
>>> y = da.arange(6.0, chunks=3)
>>> z = broadloom.dask.apply("Mul", x, y, rule="pdpd", axis=1)
>>> z.chunks
((2, 2), (3, 3), (2,))
>>> z[0, :, 0].compute().tolist()
[0.0, 1.0, 2.0, 3.0, 4.0, 5.0]
>>> print(broadloom.dask.cost("Mul", x, y, rule="pdpd", axis=1))
4 chunks stay 4; nothing is moved; peak 216 bytes per worker with 1 thread
"""

try:
    import dask.array
except ImportError as error:
    raise ImportError("broadloom.dask needs Dask: pip install 'dask[array]' distributed zarr") from error

# Dask's new array expressions have another class of arrays, and other layers.
if dask.array._array_expr_enabled():
    raise ImportError("broadloom.dask needs Dask's arrays without query planning: set array.query-planning to False")

from ._apply import apply, broadcast_to, cost
from ._errors import ChunkError
from ._layout import Cost
from ._zarr import from_zarr, to_zarr

__all__ = ["ChunkError", "Cost", "apply", "broadcast_to", "cost", "from_zarr", "to_zarr"]
