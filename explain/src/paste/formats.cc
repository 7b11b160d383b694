#include "paste/formats.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <string_view>

namespace broadloom {
inline namespace v1 {
namespace {

constexpr std::string_view kArgs =
    "NumPy names two operands that conflict; there may be more operands.";
constexpr std::string_view kTwoSizes =
    "The text has two extents and an axis of the result, but no shapes. "
    "PyTorch "
    "compares from the last axis, so this is the last axis that conflicts.";
constexpr std::string_view kNoShapes =
    "The text has no shapes: please add those of the operands.";
constexpr std::string_view kOrtSizes =
    "ONNX Runtime prints the extent that conflicts, then the largest; it "
    "prints "
    "neither shapes nor the axis.";
constexpr std::string_view kSoFar =
    "The second shape is that of all operands before this one together.";
constexpr std::string_view kOneOperand =
    "The text has the shape of one operand only.";
constexpr std::string_view kMean =
    "The loss would have been computed of the broadcast shape.";
constexpr std::string_view kOneBased = "The axis is counted from 1.";
constexpr std::string_view kFirst =
    "Paddle compares from the first axis, so this is the first that conflicts.";
constexpr std::string_view kReversed =
    "The text names the two shapes the other way round: this is the order of "
    "what happened.";

constexpr std::string_view kJuliaPlus =
    "+ and - of Julia require equal dimensions, apart from 1s at the end: a .+ "
    "b broadcasts, and aligns axes at the left.";

constexpr std::string_view kNumbaOrder =
    "Numba 0.65 printed the two shapes the other way round.";

constexpr Format kFormats[] = {
    // --- NumPy, and systems that print the same words -----------------------
    {"mxnet.shapes", "numpy",
     "Check failed: l == 1 || r == 1<...>operands could not be broadcast "
     "together with shapes <operands square>"},
    {"numpy.shapes_requested", "broadcast_numpy",
     "operands could not be broadcast together with shapes <value tight> and "
     "requested shape <target tight>"},
    {"dask.shapes", "numpy",
     "operands could not be broadcast together with shapes <operands spaced>",
     "numpy", "dask"},
    {"cupy.shapes", "numpy",
     "operands could not be broadcast together with shapes <operands spaced>",
     "numpy", "cupy"},
    {"sparse.shapes", "numpy",
     "operands could not be broadcast together with shapes <operand spaced>, "
     "<operand spaced>"},
    {"numpy.shapes", "numpy",
     "operands could not be broadcast together with shapes <operands tight>",
     "numexpr pandas pint astropy scipy pytensor"},
    {"numpy-ts.shapes_parentheses", "numpy",
     "operands could not be broadcast together with shapes <operands single>"},
    {"dask.shapes", "numpy",
     "operands could not be broadcast together with shapes <operands spaced>",
     "cupy"},
    {"numpy-ts.shapes", "numpy",
     "operands could not be broadcast together with shapes <operands square>",
     "mxnet"},
    {"cupy.shapes_function", "numpy",
     "operands could not be broadcast together with shapes<operands>"},
    {"numpy.remapped_requested", "broadcast_numpy",
     "operands could not be broadcast together with remapped shapes "
     "[original->remapped]: <value> and requested shape <target>",
     "numexpr scipy"},
    {"numpy.matmul", "matmul",
     "operands could not be broadcast together with remapped shapes "
     "[original->remapped]: <remapped> and requested shape <ignored>"},
    {"numpy.remapped", "einsum",
     "operands could not be broadcast together with remapped shapes "
     "[original->remapped]: <remapped>"},
    {"pytorch.einsum_remapped", "einsum",
     "operands do not broadcast with remapped shapes [original->remapped]: "
     "<remapped>"},
    {"numba.remapped", "broadcast_numpy",
     "operands could not be broadcast together with remapped shapes", "", "",
     kNoShapes},
    {"cupy.requested", "broadcast_numpy",
     "operands could not be broadcast together with shape <value> and "
     "requested "
     "shape <target>"},
    {"numpy.repeat", "broadcast_numpy",
     "operands could not be broadcast together with shape <target tight> "
     "<value "
     "tight>"},
    {"numpy-ts.broadcast_to", "broadcast_numpy",
     "operands could not be broadcast together with shape <value> <target>"},
    {"numpy-ts.operator", "numpy",
     "operands could not be broadcast together for <op> with shapes "
     "<operands>"},
    {"heat.shapes", "numpy",
     "operands could not be broadcast, input shapes <operands>"},
    {"numpy.output", "broadcast_numpy",
     "non-broadcastable output operand with shape <output> doesn't match the "
     "broadcast shape <broadcast>"},
    {"numpy.output_remapped", "broadcast_numpy",
     "non-broadcastable output operand with shape <output> [remapped to "
     "<ignored>] doesn't match the broadcast shape <broadcast>"},
    {"numpy.operand", "broadcast_numpy",
     "non-broadcastable operand with shape <output> doesn't match the "
     "broadcast "
     "shape <broadcast>"},
    {"numpy.single", "numpy",
     "shape mismatch: objects cannot be broadcast to a single shape. Mismatch "
     "is between arg <number> with shape <operand> and arg <number> with shape "
     "<operand>",
     "blosc2 cubed cvxpy scipy", "", kArgs},
    {"numpy-ts.single", "numpy",
     "shape mismatch: objects cannot be broadcast to a single shape. Mismatch "
     "is between <operand> <operand>"},
    {"tinygrad.single", "numpy",
     "shape mismatch: objects cannot be broadcast to a single shape "
     "<operands>"},
    {"numpy.single_bare", "numpy",
     "shape mismatch: objects cannot be broadcast to a single shape", "", "",
     kNoShapes},
    // NumPy before 1.20 printed (3) for (3,), as numpy-ts does.
    {"numpy.assignment", "broadcast_numpy",
     "could not broadcast input array from shape <value single> into shape "
     "<target>",
     "numpy-ts"},
    {"numpy.assignment", "broadcast_numpy",
     "could not broadcast input array from shape <value> into shape <target "
     "single>",
     "numpy-ts"},
    {"numpy.assignment", "broadcast_numpy",
     "could not broadcast input array from shape <value tight> into shape "
     "<target tight>",
     "cupy"},
    {"cupy.assignment", "broadcast_numpy",
     "could not broadcast input array from shape <value> into shape <target>",
     "numpy"},
    {"numpy.index_assignment", "broadcast_numpy",
     "shape mismatch: value array of shape <value tight> could not be "
     "broadcast "
     "to indexing result of shape <target tight>"},
    {"dask.index_assignment", "broadcast_numpy",
     "shape mismatch: value array of shape <value> could not be broadcast to "
     "indexing result of shape <target>",
     "numpy"},
    {"numpy.indices", "numpy",
     "shape mismatch: indexing arrays could not be broadcast together with "
     "shapes <operands>"},
    {"numpy.core", "core dimensions",
     "<op>: Input operand <number> has a mismatch in its core dimension "
     "<axis-own>, with gufunc signature <...>(size <size> is different from "
     "<size>)"},
    {"numpy.dot", "matmul",
     "shapes <operand tight> and <operand tight> not aligned: <...>"},
    {"numpy.dot", "matmul",
     "shapes <operand> and <operand> not aligned: <size> (dim <number>) != "
     "<size> (dim <number>)",
     "cupy"},
    {"numpy.mask", "none",
     "NumPy boolean array indexing assignment cannot assign <size> input "
     "values "
     "to the <size> output values where the mask is true"},
    {"numpy.mask_index", "none",
     "boolean index did not match indexed array along axis <axis>; size of "
     "axis "
     "is <size> but size of corresponding boolean axis is <size>"},
    {"numba.argument", "numpy",
     "unable to broadcast argument <number> to output array", "", "",
     kNoShapes},
    {"numba.assignment", "broadcast_numpy",
     "cannot assign slice of shape <target> from input of shape <value>", "",
     "", kNumbaOrder},
    {"astropy.shapes", "numpy",
     "IncompatibleShapeError: (<operand>, <number>, <operand>, <number>)"},

    // --- NumPy and Python, about other things than broadcasting --------------
    {"numpy.reshape", "reshape",
     "cannot reshape array of size <size> into shape <target>", "cupy"},
    {"numpy.reshape", "reshape", "total size of new array must be unchanged"},
    {"numpy.concatenate", "concatenate",
     "all the input array dimensions <...>must match exactly, but along "
     "dimension <number>, the array at index <number> has size <size> and the "
     "array at index <number> has size <size>"},
    {"numpy.concatenate", "concatenate",
     "all the input array dimensions except for the concatenation axis must "
     "match exactly",
     "cupy"},
    {"numpy.concatenate", "concatenate",
     "all the input arrays must have same number of dimensions", "cupy"},
    {"numpy.stack", "concatenate", "all input arrays must have the same shape",
     "cupy dask"},
    {"numpy.einsum", "einsum", "einstein sum subscripts string"},
    {"numpy.einsum", "einsum", "subscripts given in einstein sum"},
    {"numpy.einsum", "einsum",
     "operand has a mismatch in its core dimension for label"},
    {"numpy.index", "index", "too many indices for array", "cupy"},
    {"numpy.index", "index",
     "index <number> is out of bounds for axis <number> with size <size>",
     "cupy jax"},
    {"numpy.axis", "axis",
     "axis <number> is out of bounds for array of dimension <size>",
     "cupy jax dask"},
    {"numpy.axis", "axis", "axes don't match array"},
    {"numpy.ragged", "ragged", "setting an array element with a sequence"},
    {"numpy.ragged", "ragged", "has an inhomogeneous shape after"},
    {"scikit-learn.features", "layer",
     "features, but <...>is expecting <size> features as input"},
    {"scikit-learn.samples", "layer",
     "Found input variables with inconsistent numbers of samples: "},
    {"scikit-learn.rank", "layer",
     "Expected 2D array, got <...>D array instead"},
    {"python.call", "call", "() takes <number> positional argument"},
    {"python.call", "call",
     "() takes from <number> to <number> positional argument"},
    {"python.call", "call", "() missing <number> required positional argument"},
    {"python.call", "call", "() missing <number> required keyword-only"},
    {"python.call", "call", "() got an unexpected keyword argument"},
    {"python.call", "call", "() got multiple values for argument"},

    // --- Dask, Cubed, pandas, SciPy, SymPy, and others in Python ------------
    {"cubed.broadcast_to", "broadcast_numpy",
     "cannot broadcast shape <value> to shape <target>", "dask", "cubed"},
    {"dask.broadcast_to", "broadcast_numpy",
     "cannot broadcast shape <value> to shape <target>", "cubed"},
    {"dask.chunks", "numpy", "Chunks do not align: <...>]", "", "",
     "These are lengths of chunks, not shapes."},
    {"pandas.frame", "none",
     "Unable to coerce to DataFrame, shape must be <target>: given <value>"},
    {"pandas.series", "none",
     "Unable to coerce to Series, length must be <size>: given <size>"},
    {"pandas.compare", "none",
     "('Lengths must match to compare', <operand>, <operand>)"},
    {"pandas.values", "none",
     "Length of values (<size>) does not match length of index (<size>)"},
    {"pandas.indices", "none",
     "Shape of passed values is <value>, indices imply <target>"},
    {"scipy.shapes", "numpy", "inconsistent shapes <operand> and <operand>"},
    {"scipy.size", "broadcast_numpy",
     "size does not match the broadcast shape of the parameters. <target>, "
     "<ignored>, <broadcast>"},
    {"scipy.incompatible", "numpy",
     "Array shapes are incompatible for broadcasting", "", "", kNoShapes},
    {"sympy.sizes", "none", "Matrix size mismatch: <operand> + <operand>"},
    {"sympy.shapes", "none", "Matrix shapes must agree <operand> != <operand>"},
    {"sympy.symbols", "none", "Matrices have mismatching shape: <operand>", "",
     "", kOneOperand},
    {"awkward.regular", "nested",
     "cannot broadcast RegularArray of size <size> with RegularArray of size "
     "<size> in <op>"},
    {"awkward.nested", "nested", "cannot broadcast nested list"},
    {"einops.pattern", "by_name",
     "Error while processing <...>pattern <...>Input tensor shape: <operand>."},
    {"einx.three", "by_name",
     "Failed to determine the size of all axes<...>Positional argument "
     "#<number>: Tensor with shape <operand><...>Positional argument "
     "#<number>: "
     "Tensor with shape <operand><...>Positional argument #<number>: Tensor "
     "with shape <operand>"},
    {"einx.two", "by_name",
     "Failed to determine the size of all axes<...>Positional argument "
     "#<number>: Tensor with shape <operand><...>Positional argument "
     "#<number>: "
     "Tensor with shape <operand>"},
    {"jaxtyping.check", "by_name",
     "Actual value: <operand><...>Expected type: <...>[<...>]"},
    {"cvxpy.broadcast", "none", "Cannot broadcast dimensions <operands>"},
    {"cvxpy.shapes", "none", "Incompatible dimensions <operands>"},
    {"theano.shapes", "numpy",
     "Input dimension mis-match. (input[<number>].shape[<axis>] = <size>, "
     "input[<number>].shape[<number>] = <size>)<...>Inputs shapes: <operands>",
     "aesara pytensor"},
    {"theano.sizes", "numpy",
     "Input dimension mis-match. (input[<number>].shape[<axis>] = <size>, "
     "input[<number>].shape[<number>] = <size>)",
     "aesara pytensor"},
    {"theano.gpu", "numpy",
     "Input dimension mis-match. Input <number> (indices start at 0) has "
     "shape[<axis>] == <size>, but the output's size on that axis is "
     "<size>.<...>Inputs shapes: <operands>",
     "aesara"},
    {"pytensor.shapes", "numpy",
     "Incompatible Elemwise input shapes <operands>", "aesara"},
    {"pytensor.alloc", "broadcast_numpy",
     "Alloc static input type and target shape are incompatible: <value> vs "
     "<target>"},
    {"pytensor.one", "numpy", "Runtime broadcasting not allowed.", "", "",
     "PyTensor stretches only axes of which it knows beforehand that they are "
     "1."},
    {"xarray.lengths", "by_name",
     "operands cannot be broadcast together with mismatched lengths for "
     "dimension <...>: (<size>, <size>)"},
    {"xarray.unlabelled", "by_name",
     "arguments without labels along dimension <...>different dimension sizes: "
     "{<size>, <size>}"},
    {"xarray.sizes", "by_name",
     "cannot reindex or align along dimension <...>because of conflicting "
     "dimension sizes: {<size>, <size>}"},
    {"xarray.data", "by_name",
     "conflicting sizes for dimension <...>: length <size> on the data but "
     "length <size> on coordinate"},
    {"xarray.conflict", "by_name",
     "conflicting sizes for dimension <...>: length <size> on <...>and length "
     "<size> on"},
    {"xarray.exact", "by_name", "cannot align objects with join='exact'"},
    {"chainer.sizes", "none", "Actual: <size> != <size>", "", "in_types"},
    {"chainer.types", "none", "Actual: <operand> != <operand>", "", "in_types"},

    // --- PyTorch -------------------------------------------------------------
    {"pytorch.dynamo", "numpy",
     "call_function <...>function <op>>(*(<...>FakeTensor(<...>size=<operand>"
     "<...>FakeTensor(<...>size=<operand><...>got <...>')"},
    {"pytorch.dynamo", "numpy",
     "call_function <...>function <op>>(*(<...>FakeTensor(<...>size=<operand>"
     "<...>FakeTensor(<...>size=<operand>"},
    {"pytorch.size", "numpy",
     "The size of tensor a (<size>) must match the size of tensor b (<size>) "
     "at "
     "non-singleton dimension <axis>",
     "", "", kTwoSizes},
    {"pytorch.attempt", "numpy",
     "Attempting to broadcast a dimension of length <size> at <axis-right>! "
     "Mismatching argument at index <number> had <operand>; but expected shape "
     "should be broadcastable to <broadcast>",
     "", "", kSoFar},
    {"pytorch.expand", "broadcast_numpy",
     "The expanded size of the tensor (<size>) must match the existing size "
     "(<size>) at non-singleton dimension <axis>. Target sizes: <target>. "
     "Tensor sizes: <value>"},
    {"pytorch.expand_sizes", "broadcast_numpy",
     "The expanded size of the tensor (<size>) must match the existing size "
     "(<size>) at non-singleton dimension <axis>"},
    {"pytorch.expand_rank", "broadcast_numpy",
     "expand(<...>{<value>}, size=<target>): the number of sizes provided"},
    {"pytorch.loss_deprecated", "none",
     "Using a target size (<loss-target>) that is different to the input size "
     "(<loss-input>) is deprecated"},
    {"pytorch.loss", "numpy",
     "Using a target size (<loss-target>) that is different to the input size "
     "(<loss-input>)",
     "", "", kMean},
    {"pytorch.loss_same", "none",
     "Target size (<loss-target>) must be the same as input size "
     "(<loss-input>)"},
    {"pytorch.output", "broadcast_numpy",
     "output with shape <output> doesn't match the broadcast shape "
     "<broadcast>"},
    {"pytorch.index_assignment", "broadcast_numpy",
     "shape mismatch: value tensor of shape <value> cannot be broadcast to "
     "indexing result of shape <target>"},
    {"pytorch.indices", "numpy",
     "shape mismatch: indexing tensors could not be broadcast together with "
     "shapes <operands>"},
    {"pytorch.mask", "none",
     "The shape of the mask <operand> at index <axis> does not match the shape "
     "of the indexed tensor <operand> at index <number>"},
    {"pytorch.loss_size", "none",
     "size mismatch (got input: <loss-input>, target: <loss-target>)"},
    {"pytorch.matmul", "matmul",
     "mat1 and mat2 shapes cannot be multiplied (<operand> and <operand>)"},
    {"pytorch.matmul", "matmul", "size mismatch, m1: <operand>, m2: <operand>"},
    {"pytorch.matmul", "matmul",
     "size mismatch, got input (<size>), mat (<...>), vec (<size>)"},
    {"pytorch.bmm", "matmul",
     "Expected size for first two dimensions of batch2 tensor to be: <...>but "
     "got: "},
    {"pytorch.einsum", "einsum",
     "einsum(): subscript <...>has size <size> for operand <number> which does "
     "not broadcast with previously seen size <size>"},
    {"pytorch.einsum", "einsum",
     "einsum(): the number of subscripts in the equation (<size>) does not "
     "match the number of dimensions (<size>)"},
    {"pytorch.reshape", "reshape",
     "shape '<target>' is invalid for input of size <size>"},
    {"pytorch.reshape", "reshape",
     "size '<target>' is invalid for input of with <size> elements"},
    {"pytorch.view", "reshape",
     "view size is not compatible with input tensor's size and stride"},
    {"pytorch.concatenate", "concatenate",
     "Sizes of tensors must match except in dimension <number>. Expected size "
     "<size> but got size <size> for tensor number <number> in the list"},
    {"pytorch.concatenate", "concatenate",
     "Sizes of tensors must match except in dimension <number>. Got <size> and "
     "<size>"},
    {"pytorch.concatenate", "concatenate",
     "Sizes of tensors must match except in dimension"},
    {"pytorch.concatenate", "concatenate",
     "Tensors must have same number of dimensions: got <size> and <size>"},
    {"pytorch.stack", "concatenate",
     "stack expects each tensor to be equal size, but got <operand> at entry "
     "<number> and <operand> at entry <number>"},
    {"pytorch.index", "index",
     "index <number> is out of bounds for dimension <number> with size <size>"},
    {"pytorch.index", "index", "too many indices for tensor of dimension"},
    {"pytorch.axis", "axis",
     "Dimension out of range (expected to be in range of [<number>, <number>], "
     "but got <number>)"},
    {"pytorch.conv", "layer",
     "Given groups=<number>, weight of size <ignored>, expected "
     "input<operand> to have <size> channels, but got <size> channels instead"},
    {"pytorch.norm", "layer",
     "running_mean should contain <size> elements not <size>"},
    {"pytorch.norm", "layer",
     "Given normalized_shape=<ignored>, expected input with shape <ignored>, "
     "but got input of size<operand>"},
    {"pytorch.weights", "layer",
     "size mismatch for <...>copying a param with shape <operand> from "
     "checkpoint, the shape in current model is <operand>"},
    {"pytorch.loss_batch", "layer",
     "Expected input batch_size (<size>) to match target batch_size (<size>)"},

    // --- TensorFlow and Keras ------------------------------------------------
    {"tensorflow.broadcast_to", "broadcast_numpy",
     "Incompatible shapes: <value square> vs. <target square> "
     "[Op:BroadcastTo]"},
    {"tensorflow.operator", "numpy",
     "Incompatible shapes: <operand square> vs. <operand square> [Op:<op>]"},
    {"tensorflow.shapes", "numpy",
     "Incompatible shapes: <operand square> vs. <operand square>"},
    {"tensorflow.unable", "broadcast_numpy",
     "Unable to broadcast tensor of shape <value> to tensor of shape <target>",
     "keras"},
    {"tensorflow.select", "numpy",
     "condition <operand>, then <operand>, and else <operand> must be "
     "broadcastable"},
    {"tensorflow.equal_target", "broadcast_numpy",
     "Dimensions must be equal, but are <size> and <size> for '<...>(op: "
     "'BroadcastTo') with input shapes: <value>, <ignored> and with input "
     "tensors computed as partial shapes: input[1] = <target>"},
    {"tensorflow.equal", "numpy",
     "Dimensions must be equal, but are <size> and <size> for '<...>(op: "
     "'<op>') with input shapes: <operands>"},
    {"tensorflow.ranks", "none",
     "Shapes must be equal rank, but are <number> and <number> for '<...>(op: "
     "'<op>') with input shapes: <operands>"},
    {"tensorflow.component", "none",
     "Incompatible shapes at component <number>: expected <operand> but got "
     "<operand>"},
    {"tensorflow.reshape", "reshape",
     "Input to reshape is a tensor with <size> values, but the requested shape "
     "has <size>"},
    {"tensorflow.reshape", "reshape",
     "Input to reshape is a tensor with <size> values, but the requested shape "
     "requires a multiple of <size>"},
    {"tensorflow.reshape", "reshape",
     "Cannot reshape a tensor with <size> elements to shape <target>"},
    {"tensorflow.concatenate", "concatenate",
     "ConcatOp : Dimension <number> in both shapes must be equal: shape[0] = "
     "<operand> vs. shape[<number>] = <operand>"},
    {"tensorflow.concatenate", "concatenate",
     "ConcatOp : Dimensions of inputs should match: shape[0] = <operand> vs. "
     "shape[<number>] = <operand>"},
    {"tensorflow.equal", "numpy",
     "Dimensions must be equal, but are <size> and <size> for '{{node <...>}} "
     "= "
     "<op>[<...>with input shapes: <operands>"},
    {"tensorflow.equal", "numpy",
     "Dimensions must be equal, but are <size> and <size>"},
    {"tensorflow.merging", "none",
     "Dimension <axis> in both shapes must be equal, but are <size> and "
     "<size>. "
     "Shapes are <operand> and <operand>"},
    {"tensorflow.same", "none",
     "must have the same size and shape. Input <number>: <operand> != input "
     "<number>: <operand>"},
    {"tensorflow.required", "numpy",
     "required broadcastable shapes<...>Call arguments received by<...>"
     "tf.Tensor(shape=<operand>,<...>tf.Tensor(shape=<operand>,",
     "keras"},
    {"tensorflow.required_bare", "numpy", "required broadcastable shapes", "",
     "", kNoShapes},
    {"tensorflow.rank", "numpy",
     "Broadcast between <operand> and <operand> is not supported yet"},
    {"tensorflow.static", "numpy",
     "Incompatible shapes for broadcasting. Two shapes are compatible if<...>"
     "Received: <operand> and <operand>"},
    {"tensorflow.variable", "none",
     "Shape mismatch.The variable shape <output>, and the assigned value shape "
     "<value> are incompatible",
     "keras"},
    {"tensorflow.update", "none",
     "Cannot update variable with shape <output> using a Tensor with shape "
     "<value>, shapes must be equal"},
    {"tensorflow.not_compatible", "none",
     "Shapes <operand> and <operand> are not compatible", "keras"},
    {"tensorflow.matmul", "matmul",
     "Matrix size-incompatible: In[0]: <operand>, In[1]: <operand>"},
    {"tensorflow.batch_matmul", "matmul",
     "In[0] and In[1] must have compatible batch dimensions: <operand> vs. "
     "<operand>"},
    {"keras.axis", "layer",
     "expected axis <number> of input shape to have value <size>, but received "
     "input with shape <operand>"},
    {"keras.axis", "layer",
     "expected axis <number> of input shape to have value <size> but received "
     "input with shape <operand>"},
    {"keras.axis", "layer",
     "expected axis <number> of input shape to have value <size> but got shape "
     "<operand>"},
    {"keras.rank", "layer",
     "incompatible with the layer: expected <...>found ndim=<size>. Full shape "
     "received: <operand>"},
    {"keras.shape", "layer",
     "incompatible with the layer: expected shape=<ignored>, found "
     "shape=<operand>"},
    {"keras.input", "layer",
     "Error when checking <...>: expected <...>to have <...>but got array with "
     "shape <operand>"},
    {"keras.concatenate", "concatenate",
     "`Concatenate` layer requires inputs with matching shapes except for the "
     "concatenation axis. Received: input_shape=<operands>"},
    {"keras.reshape", "reshape",
     "total size of new array must be unchanged, input_shape = <operand>, "
     "output_shape = <target>",
     "tensorflow"},
    {"keras.compatible", "none",
     "Shapes <operand> and <operand> are incompatible", "tensorflow"},
    {"keras.broadcast", "numpy",
     "Cannot broadcast shape, the failure dim has value <size>, which cannot "
     "be "
     "broadcasted to <size>. Input shapes are: <operand> and <operand>"},
    {"keras.merge", "numpy",
     "Inputs have incompatible shapes. Received shapes <operand> and "
     "<operand>"},
    {"keras.same", "none",
     "Only tensors of same shape can be merged by <...>Got input shapes: "
     "<operands>"},
    {"keras.loss", "none",
     "Arguments `target` and `output` must have the same shape. Received: "
     "target.shape=<loss-target>, output.shape=<loss-input>"},

    // --- JAX and XLA ---------------------------------------------------------
    {"jax.shapes", "numpy",
     "<op> got incompatible shapes for broadcasting: <operands>"},
    {"jax.requested", "broadcast_numpy",
     "Incompatible shapes for broadcasting: <value> and requested shape "
     "<target>"},
    {"jax.requested_types", "broadcast_numpy",
     "Incompatible types for broadcasting: input type=<value> and requested "
     "type=<target>"},
    {"jax.ranks", "numpy",
     "Incompatible shapes for broadcasting: shapes=<operands>"},
    {"jax.ranks", "numpy", "Incompatible shapes for broadcasting: <operands>"},
    {"jax.ranks_of", "none", "<op> got arrays of different rank: <operands>"},
    {"jax.lax", "none", "<op>: arrays must have the same number of dimensions",
     "", "", "The text has ranks only: functions of jax.lax add no axes."},
    {"jax.promotion_warning", "numpy",
     "Following NumPy automatic rank promotion for <op> on shapes <operands>"},
    {"jax.promotion", "numpy",
     "Operands could not be broadcast together for <op> on shapes <operands> "
     "and with the config option jax_numpy_rank_promotion",
     "", "", "JAX was told to refuse operands of unequal rank."},
    {"jax.in_dim", "explicit",
     "broadcast_in_dim operand dimension sizes must either be 1, or be equal "
     "to "
     "their corresponding dimensions in the target broadcast shape; got "
     "operand "
     "of shape <value>, target broadcast shape <target>"},
    {"jax.fewer", "broadcast_numpy",
     "Cannot broadcast to shape with fewer dimensions: arr_shape=<value> "
     "shape=<target>"},
    {"jax.batch", "matmul",
     "dot_general requires lhs batch dimensions and rhs batch dimensions to "
     "have the same shape"},
    {"jax.contracting", "matmul",
     "dot_general requires contracting dimensions to have the same shape"},
    {"jax.reshape", "reshape",
     "cannot reshape array of shape <operand> (size <size>) into shape "
     "<target>"},
    {"jax.concatenate", "concatenate",
     "Cannot concatenate arrays with shapes that differ in dimensions other "
     "than the one being concatenated: concatenating along dimension <number> "
     "for shapes <operands>"},
    {"jax.concatenate", "concatenate",
     "Cannot concatenate arrays with different numbers of dimensions: got "
     "<operands>"},
    {"jax.index", "index", "Too many indices: "},
    {"xla.binary", "numpy",
     "Binary op <op> with incompatible shapes: <operand> and <operand>"},
    {"xla.rank", "none",
     "Shapes must be equal rank, but are <operand> and <operand>"},
    {"xla.dimension", "explicit",
     "Broadcast dimension <axis> mismatch: <size> != <size>; <operand> and "
     "<operand>"},

    // --- ONNX Runtime, ONNX, OpenVINO, TensorRT, TVM -------------------------
    {"onnxruntime.sizes", "onnx_multidirectional",
     "running <op> node. <...>Attempting to broadcast an axis by a dimension "
     "other than 1. <size> by <size>",
     "", "", kOrtSizes},
    {"onnxruntime.zero", "onnx_multidirectional",
     "running <op> node. <...>Can broadcast <size> by 0 or 1. <size> is "
     "invalid"},
    {"onnxruntime.dims", "onnx_multidirectional",
     "running <op> node. <...>operand cannot broadcast on dim <axis-own> "
     "LeftShape: <operand>, RightShape: <operand>"},
    {"onnxruntime.expand", "bidirectional",
     "running <op> node. <...>invalid expand shape", "", "", kNoShapes},
    {"onnxruntime.bias", "onnx_unidirectional",
     "running <op> node. <...>Invalid bias shape for broadcast", "", "",
     kNoShapes},
    {"onnxruntime.sizes", "onnx_multidirectional",
     "Attempting to broadcast an axis by a dimension other than 1. <size> by "
     "<size>",
     "", "", kOrtSizes},
    {"onnxruntime.dims", "onnx_multidirectional",
     "left operand cannot broadcast on dim <axis-own> LeftShape: <operand>, "
     "RightShape: <operand>"},
    {"onnxruntime.dims", "onnx_multidirectional",
     "right operand cannot broadcast on dim <axis-own> LeftShape: <operand>, "
     "RightShape: <operand>"},
    {"onnxruntime.webgpu", "onnx_multidirectional",
     "Kernel \"[<op>] <...>Can't perform binary op on the given tensors", "",
     "", kNoShapes},
    {"onnxruntime.merge", "none",
     "Error merging shape info for output. <...>source:<operand> "
     "target:<operand>"},
    {"onnxruntime.load", "onnx_multidirectional",
     "Load model from <...>failed:<...>Op (<op>) [ShapeInferenceError] "
     "Incompatible dimensions",
     "onnx", "", kNoShapes},
    {"onnxruntime.node", "onnx_multidirectional",
     "Node (<...>) Op (<op>) [ShapeInferenceError] Incompatible dimensions",
     "onnx", "", kNoShapes},
    {"ndonnx.inference", "onnx_multidirectional",
     "(op_type:<op><...>[ShapeInferenceError] Incompatible dimensions -- for "
     "<...>: inputs [<...>]",
     "onnx", "", kNoShapes},
    {"onnx.inference", "onnx_multidirectional",
     "(op_type:<op><...>[ShapeInferenceError] Incompatible dimensions", "", "",
     kNoShapes},
    {"onnx.inference", "onnx_multidirectional",
     "[ShapeInferenceError] Incompatible dimensions", "", "", kNoShapes},
    {"onnx.rank", "onnx_multidirectional",
     "(op_type:<op><...>nferred shape and existing shape differ in rank:", "",
     "", kNoShapes},
    {"onnx.declared", "onnx_multidirectional",
     "nferred shape and existing shape differ in dimension <axis>: (<size>) vs "
     "(<size>)"},
    {"onnx.unification", "onnx_multidirectional",
     "Dimension mismatch in unification between <size> and <size>"},
    {"openvino.numpy", "numpy",
     "broadcast_merge_into(<...>While validating node '<...>::<op> "
     "<...>]:<operand>, <...>]:<operand>, <...>]:<operand>)"},
    {"openvino.numpy", "numpy",
     "broadcast_merge_into(<...>While validating node '<...>::<op> "
     "<...>]:<operand>, <...>]:<operand>)",
     "", "", "OpenVINO does not print which of its rules it applied."},
    {"openvino.numpy_bare", "numpy", "::broadcast_merge_into(", "", "",
     kNoShapes},
    {"onnxruntime.reshape", "reshape",
     "The input tensor cannot be reshaped to the requested shape. Input "
     "shape:<operand>, requested shape:<target>"},
    {"onnxruntime.concatenate", "concatenate",
     "Non concat axis dimensions must match: Axis <number> has mismatched "
     "dimensions of <size> and <size>"},
    {"onnxruntime.matmul", "matmul",
     "MatMul dimension mismatch<...>left operand"},
    {"onnxruntime.matmul", "matmul", "matmul dimension mismatch"},
    {"onnxruntime.input", "layer",
     "Got invalid dimensions for input: <...>index: <number> Got: <size> "
     "Expected: <size>"},
    {"onnxruntime.input", "layer",
     "Invalid rank for input: <...>Got: <size> Expected: <size>"},
    {"openvino.concatenate", "concatenate",
     "::merge_into(<...>While validating node '<...>::Concat <...>]:<operand>, "
     "<...>]:<operand>, <...>]:<operand>)"},
    {"openvino.concatenate", "concatenate",
     "::merge_into(<...>While validating node '<...>::Concat <...>]:<operand>, "
     "<...>]:<operand>)"},
    {"openvino.concatenate", "concatenate",
     "::merge_into(<...>While validating node '<...>::Concat <...>Shape "
     "inference input shapes {<operands>}"},
    {"openvino.concatenate", "concatenate",
     "Argument shapes are inconsistent; they must have the same rank, and must "
     "have equal dimension everywhere except on the concatenation axis"},
    {"openvino.none", "none",
     "::merge_into(<...>While validating node '<...>::<op> <...>]:<operand>, "
     "<...>]:<operand>)"},
    {"openvino.none_bare", "none", "::merge_into(", "", "", kNoShapes},
    {"openvino.explicit", "explicit",
     "While validating node 'opset<number>::<op> <...>]:<value>, "
     "<...>Broadcast target[axes_mapping[<number>]] Expected <size>. Got "
     "<size>"},
    {"openvino.explicit_mapping", "explicit",
     "While validating node 'opset<number>::<op> <...>]:<value>, "
     "<...>Broadcast axes_mapping"},
    {"openvino.explicit_order", "explicit",
     "While validating node 'opset<number>::<op> <...>]:<value>, "
     "<...>Broadcast doesn't permit transposes"},
    {"openvino.broadcast", "broadcast_numpy",
     "While validating node 'opset<number>::<op> <...>]:<value>, <...>Input "
     "shape dimension equal <size> cannot be broadcasted (numpy mode) to "
     "<size>"},
    {"openvino.broadcast_rank", "broadcast_numpy",
     "While validating node 'opset<number>::<op> <...>]:<value>, "
     "<...>Broadcast target_shape has smaller rank"},
    {"openvino.pdpd", "pdpd",
     "While validating node 'opset<number>::<op> <...>]:<value>, "
     "<...>Broadcast incorrect target shape. Expecting either 1 or <size> . "
     "Got "
     "<size>"},
    {"openvino.bidirectional", "bidirectional",
     "While validating node 'opset<number>::<op> <...>]:<value>, "
     "<...>Broadcast incorrect target shape. Expecting either 1 or <size>. Got "
     "<size>"},
    {"openvino.eltwise", "numpy",
     "Can't compute static output shape for Eltwise node with name: <...>Input "
     "shapes = ( 0 port = <operand>, 1 port = <operand>, ). Output shape = ( "
     "<output> )"},
    {"openvino.node", "numpy",
     "While validating node '<...>::<op> <...>]:<operand>, <...>]:<operand>)",
     "", "Argument shapes are inconsistent.",
     "OpenVINO does not print which of its rules it applied."},
    {"openvino.inference", "numpy",
     "Eltwise shape infer input shapes dim index: <number> mismatch", "", "",
     kNoShapes},
    {"openvino.configuration", "unknown",
     "has invalid input/output dims configuration", "", "", kNoShapes},
    {"tensorrt.slope", "onnx_unidirectional",
     "slope tensor must be unidirectional broadcastable to input tensor", "",
     "", kNoShapes},
    {"tensorrt.elementwise", "numpy",
     "must have same dimensions or follow broadcast rules (input dimensions "
     "were <operand> and <operand>)"},
    {"tensorrt.elementwise_bare", "numpy",
     "broadcast dimensions must be conformable", "", "", kNoShapes},
    {"tensorrt.elementwise_bare", "numpy",
     "dimensions not compatible for elementwise", "", "", kNoShapes},
    {"tensorrt.sizes", "numpy", "Instruction: CHECK_BROADCAST <size> <size>",
     "", "", kNoShapes},
    {"tvm.topi", "numpy",
     "Incompatible broadcast dims: <size> and <size> in: <operand> and "
     "<operand>"},
    {"tvm.relax", "numpy",
     "In Op(<op>), the first input shape at dim <axis-own> is <size> and the "
     "second input shape at dim <number> is <size>, which are not "
     "broadcastable"},
    {"tvm.match", "none",
     "The Relay type checker is unable to show the following types match: "
     "<operand> <operand>"},
    {"tvm.types", "numpy",
     "Incompatible broadcast type <operand> and <operand>"},
    {"tflite.shapes", "numpy",
     "Given shapes, <operand> and <operand>, are not broadcastable"},
    {"tflite.shapes", "numpy",
     "Given shapes, <operand>, and <operand>, are not broadcastable"},
    {"tflite.shapes", "numpy",
     "Given shapes, <operand>, ] and <operand>, are not broadcastable"},
    {"mlir.operands", "numpy",
     "operands don't have broadcast-compatible shapes", "", "", kNoShapes},
    {"mlir.dimension", "explicit",
     "op input dim <number> should match init dim <number>. input: <size>, "
     "init: <size> <...>: (<value>) -> <target>"},
    {"mlir.dimension", "explicit",
     "op input dim <number> should match init dim <number>. input: <size>, "
     "init: <size>"},
    {"mlir.result", "none",
     "type of return operand <number> ('<operand>') doesn't match function "
     "result type ('<operand>')"},
    {"coremltools.shapes", "numpy",
     "Incompatible dim <axis> in shapes <operand> vs. <operand>"},
    {"mxnet.broadcast_to", "broadcast_numpy",
     "Array cannot be broadcasted from <value> to <target>"},
    {"mxnet.broadcast_like", "broadcast_numpy",
     "Operand of shape <value> cannot be broadcasted to <target>"},
    {"mxnet.attribute", "none",
     "Incompatible attr in node <...>input: expected <operand>, got <operand>"},

    // --- PaddlePaddle, MLX, tinygrad -----------------------------------------
    {"paddle.axis", "pdpd",
     "Operands could not be broadcast together with the shape of X = <operand> "
     "and the shape of Y = <operand> and axis of <rule-axis>"},
    {"paddle.shapes", "numpy",
     "Operands could not be broadcast together with the shape of X = <operand> "
     "and the shape of Y = <operand>. Received [<size>] in X is not equal "
     "to [<size>] in Y at i:<axis>",
     "", "", kFirst},
    {"paddle.shapes", "numpy",
     "Operands could not be broadcast together with the shape of X = <operand> "
     "and the shape of Y = <operand>"},
    {"paddle.old", "pdpd",
     "Expected x_dims[i + axis] == y_dims[i], but received x_dims[i + "
     "axis]:<size> != y_dims[i]:<size>"},
    {"paddle.expand", "broadcast_numpy",
     "The value (<size>) of the non-singleton dimension does not match the "
     "corresponding value (<size>) in shape for <op>"},
    {"paddle.matmul", "matmul",
     "but received X_broadcast's shape[<axis>] = [<size>]received "
     "Y_broadcast's "
     "shape[<number>] = [<size>]"},
    {"paddle.matmul", "matmul",
     "The size of tensor x (<size>) must match the size of tensor y (<size>) "
     "at "
     "non-singleton dimension <axis>"},
    {"paddle.tensors", "numpy",
     "does not satisfy bcast semantics, please check axis = <axis-right> in "
     "reverse order, dim_size[<size>] != target_dim_size[<size>]"},
    {"paddle.assignment", "broadcast_numpy",
     "The shape of tensor assigned value must match the shape of target shape: "
     "<value>, but now shape is <target>",
     "", "", kReversed},
    {"paddle.in_place", "broadcast_numpy",
     "The shape of broadcast output <broadcast> is different from that of "
     "inplace tensor <output> in the Inplace operation"},
    {"mlx.shapes", "numpy",
     "[broadcast_shapes] Shapes <operand> and <operand> cannot be broadcast"},
    {"mlx.shapes", "numpy",
     "Shapes <operand> and <operand> cannot be broadcast"},
    {"mlx.reshape", "reshape",
     "[reshape] Cannot reshape array of size <size> into shape <target>"},
    {"mlx.matmul", "matmul",
     "[matmul] Last dimension of first input with shape <operand> must match "
     "second to last dimension of second input with shape <operand>"},
    {"mlx.concatenate", "concatenate",
     "[concatenate] All the input array dimensions must match exactly except "
     "for the concatenation axis. However, the provided shapes are <operands>, "
     "and"},
    {"mlx.into", "broadcast_numpy",
     "Cannot broadcast array of shape <value> into shape <target>"},
    {"tinygrad.new_shape", "broadcast_numpy",
     "cannot broadcast <value> to new_shape=<target>"},
    {"tinygrad.fewer", "broadcast_numpy",
     "cannot broadcast tensor to fewer dimensions. shape=<value> to "
     "new_shape=<target>"},
    {"tinygrad.into", "broadcast_numpy",
     "cannot broadcast <value> into <target>"},
    {"tinygrad.reshape", "reshape",
     "size mismatch, can't reshape <operand> -> <target>"},
    {"tinygrad.matmul", "matmul", "cannot dot <operand> and <operand>"},

    // --- Rust ----------------------------------------------------------------
    {"burn.binary", "numpy",
     "Operation: '<op>'<...>Incompatible size at dimension '<axis>' => '<size> "
     "!= <size>', which can't be broadcasted. Lhs tensor shape <operand>, Rhs "
     "tensor shape <operand>"},
    {"burn.expand", "broadcast_numpy",
     "can't be broadcasted to the target shape. Incompatible size at dimension "
     "'<axis-right>' => '<size> != <size>'<...>Tensor shape <value>, Target "
     "shape <target>"},
    {"burn.binary", "numpy",
     "Incompatible size at dimension '<axis>' => '<size> != <size>', which "
     "can't be broadcasted. Lhs tensor shape <operand>, Rhs tensor shape "
     "<operand>"},
    {"candle.shapes", "none",
     "shape mismatch in <op>, lhs: <operand>, rhs: <operand>"},
    {"candle.concatenate", "concatenate",
     "shape mismatch in cat for dim <number>, shape for arg 1: <operand> shape "
     "for arg <number>: <operand>"},
    {"candle.broadcast", "broadcast_numpy",
     "cannot broadcast <value square> to <target square>"},
    {"ndarray.broadcast", "broadcast_numpy",
     "could not broadcast array from shape: <value> to: <target>"},
    {"ndarray.matmul", "matmul",
     "ndarray: inputs <operand> and <operand> are not compatible for matrix "
     "multiplication"},
    {"ndarray.shapes", "numpy",
     "ShapeError/IncompatibleShape: incompatible shapes", "", "", kNoShapes},

    // --- Elixir, Java --------------------------------------------------------
    {"nx.broadcast", "broadcast_numpy",
     "cannot broadcast tensor of dimensions <value> to <target>"},
    {"nx.index", "index",
     "index <number> is out of bounds for axis <number> in shape"},
    {"nd4j.in_place", "broadcast_numpy",
     "Cannot perform in-place operation <...>output shape: <output>.<...>("
     "<operand>) != <ignored>"},
    {"nd4j.dimensions", "explicit",
     "must match y[<number>], x shape <target>, y shape <value>, dimensions"},

    // --- C++ -----------------------------------------------------------------
    {"eigen.assertion", "none",
     "aLhs.rows() == aRhs.rows() && aLhs.cols() == aRhs.cols()", "", "",
     kNoShapes},
    {"eigen.assignment", "none",
     "rows() == other.rows() && cols() == other.cols()", "", "", kNoShapes},
    {"eigen.resize", "none", "DenseBase::resize() does not actually allow", "",
     "", kNoShapes},
    {"eigen.product", "matmul", "invalid matrix product"},
    {"eigen.static", "none", "YOU_MIXED_MATRICES_OF_DIFFERENT_SIZES", "", "",
     kNoShapes},
    {"armadillo.matrices", "none",
     "<op>: incompatible matrix dimensions: <operand> and <operand>"},
    {"armadillo.cubes", "none",
     "<op>: incompatible cube dimensions: <operand> and <operand>"},
    {"xtensor.shapes", "numpy",
     "Incompatible dimension of arrays:<...>LHS shape = <operand><...>RHS "
     "shape "
     "= <operand>"},

    // --- Julia, Octave, MATLAB, R --------------------------------------------
    {"julia.axes", "left_aligned",
     "arrays could not be broadcast to a common size: a has axes "
     "Base.OneTo(<size>) and b has axes Base.OneTo(<size>)"},
    {"julia.lengths", "left_aligned",
     "arrays could not be broadcast to a common size; got a dimension with "
     "lengths <size> and <size>"},
    {"julia.bare", "left_aligned",
     "arrays could not be broadcast to a common size", "", "", kNoShapes},
    {"julia.fewer", "left_aligned",
     "cannot broadcast array to have fewer non-singleton dimensions", "", "",
     kNoShapes},
    {"julia.destination", "left_aligned",
     "array could not be broadcast to match destination", "", "", kNoShapes},
    {"julia.dimensions", "none",
     "dimensions must match: a has dims <operand>, b has dims <operand>", "",
     "", kJuliaPlus},
    {"julia.dimensions", "none",
     "dimensions must match: a has size <operand>, b has size <operand>", "",
     "", kJuliaPlus},
    {"julia.singleton", "none",
     "dimensions must match: a has dims <operand>, must have singleton at dim",
     "", "", kJuliaPlus},
    {"julia.dimensions_bare", "none",
     "DimensionMismatch(\"dimensions must match\")", "", "", kJuliaPlus},
    {"julia.matmul", "matmul",
     "A has dimensions <operand> but B has dimensions <operand>"},
    {"julia.matmul", "matmul",
     "matrix A has dimensions <operand>, matrix B has dimensions <operand>"},
    {"julia.matmul", "matmul",
     "matrix A has dimensions <operand>, vector B has length <operand>"},
    {"julia.matmul", "matmul",
     "second dimension of A, <size>, does not match length of x, <size>"},
    {"julia.matmul", "matmul",
     "second dimension of matrix, <size>, does not match length of input "
     "vector, <size>"},
    {"julia.matmul", "matmul",
     "tried to multiply a matrix of size <operand> with a matrix of size "
     "<operand>"},
    {"julia.matmul", "matmul",
     "tried to multiply a matrix of size <operand> with a vector of length "
     "<operand>"},
    {"julia.reshape", "reshape",
     "parent has <size> elements, which is incompatible with size <target>"},
    {"julia.reshape", "reshape",
     "new dimensions <target> must be consistent with array size <size>"},
    {"julia.concatenate", "concatenate",
     "mismatch in dimension <number> (expected <size> got <size>)"},
    {"julia.index", "index", "BoundsError: attempt to access"},
    {"octave.concatenate", "concatenate",
     "vertical dimensions mismatch (<operand> vs <operand>)"},
    {"octave.concatenate", "concatenate",
     "horizontal dimensions mismatch (<operand> vs <operand>)"},
    {"matlab.matmul", "matmul", "Inner matrix dimensions must agree"},
    {"matlab.matmul", "matmul",
     "Incorrect dimensions for matrix multiplication"},
    {"matlab.concatenate", "concatenate",
     "Dimensions of arrays being concatenated are not consistent"},
    {"matlab.reshape", "reshape", "the number of elements must not change"},
    {"octave.product", "matmul",
     "operator *: nonconformant arguments (op1 is <operand>, op2 is "
     "<operand>)"},
    {"octave.unnamed", "left_aligned",
     "operator : nonconformant arguments (op1 is <operand>, op2 is "
     "<operand>)"},
    {"octave.operator", "left_aligned",
     "<op>: nonconformant arguments (op1 is <operand>, op2 is <operand>)"},
    {"octave.lengths", "left_aligned",
     "<op>: nonconformant arguments (op1 len: <size>, op2 len: <size>)"},
    {"matlab.sizes", "left_aligned",
     "Arrays have incompatible sizes for this operation", "", "", kNoShapes},
    {"matlab.agree", "left_aligned", "Matrix dimensions must agree", "octave",
     "", kNoShapes},
    {"r.arrays", "recycled", "Error in <source> : non-conformable arrays"},
    {"r.arrays", "recycled", "non-conformable arrays"},
    {"r.recycled", "recycled",
     "In <source> : longer object length is not a multiple of shorter object "
     "length"},
    {"r.recycled", "recycled",
     "longer object length is not a multiple of shorter object length"},
    {"r.matmul", "matmul", "Error in <source> : non-conformable arguments"},
    {"r.matmul", "matmul", "non-conformable arguments"},
    {"r.concatenate", "concatenate",
     "number of columns of matrices must match"},
    {"r.concatenate", "concatenate", "number of rows of matrices must match"},
    {"r.index", "index", "subscript out of bounds"},
    {"r.length", "recycled",
     "dims [product <size>] do not match the length of object [<size>]"},
    {"r.items", "recycled",
     "number of items to replace is not a multiple of replacement length"},

    // --- JavaScript ----------------------------------------------------------
    {"tfjs.shapes", "numpy",
     "Operands could not be broadcast together with shapes <operand bare> and "
     "<operand bare>"},
    {"tfjs.layers", "numpy",
     "Operands could not be broadcast together with shapes <operand square> "
     "<operand square>"},
    {"numpy.shapes_capital", "numpy",
     "Operands could not be broadcast together with shapes <operands tight>",
     "keras"},
    {"keras.layers", "numpy",
     "Operands could not be broadcast together with shapes <operands>"},
    {"tfjs.broadcast_to", "broadcast_numpy",
     "broadcastTo(): <value square> cannot be broadcast to <target square>"},
    {"tfjs.rank", "broadcast_numpy",
     "broadcastTo(): shape.length=<number> < input.rank=<number>", "", "",
     kNoShapes},
    {"tfjs.match", "none",
     "Shapes <operand bare> and <operand bare> must match"},
    {"tfjs.scalar", "none",
     "must be scalar or the shapes <operand bare> and <operand bare> must "
     "match"},
    {"numpy-ts.sizes", "numpy",
     "Cannot broadcast shapes: dimensions <size> and <size> are incompatible"},
    {"numpy-ts.matmul", "numpy",
     "matmul: batch shapes not broadcastable: <operand> vs <operand>", "", "",
     "These are the batch axes of a product of matrices."},
    {"jax-js.shapes", "numpy",
     "Incompatible array broadcast shapes: <operand bare> vs <operand bare>"},
    {"jax-js.expand", "broadcast_numpy", "Can't expand <value> into <target>"},
    {"stdlib.broadcast", "broadcast_numpy",
     "broadcast incompatible. Array shape: <value>. Desired shape: <target>. "
     "Dimension: <axis>"},
    {"stdlib.arrays", "numpy", "Input arrays must be broadcast compatible", "",
     "", kNoShapes},
    {"mathjs.argument", "numpy",
     "shape mismatch: mismatch is found in arg with shape <operand> not "
     "possible to broadcast dimension <axis-own> with size <size> to size "
     "<size>",
     "", "", kOneBased},
    {"mathjs.sizes", "none", "Dimension mismatch (<size> != <size>)"},

    // --- Checkers ------------------------------------------------------------
    {"pyrefly.dimension", "numpy",
     "Cannot broadcast dimension <size> with dimension <size> at position "
     "<axis>"},
};

static_assert(std::size(kFormats) <= kMostFormats);

struct Title {
  std::string_view system;
  std::string_view title;
};

constexpr Title kTitles[] = {
    {"armadillo", "Armadillo"},
    {"astropy", "Astropy"},
    {"awkward", "Awkward Array"},
    {"burn", "Burn"},
    {"candle", "candle"},
    {"chainer", "Chainer"},
    {"coremltools", "Core ML Tools"},
    {"cubed", "Cubed"},
    {"cupy", "CuPy"},
    {"cvxpy", "CVXPY"},
    {"dask", "Dask"},
    {"eigen", "Eigen"},
    {"einops", "einops"},
    {"einx", "einx"},
    {"heat", "Heat"},
    {"jax", "JAX"},
    {"jax-js", "jax-js"},
    {"jaxtyping", "jaxtyping"},
    {"julia", "Julia"},
    {"keras", "Keras"},
    {"mathjs", "math.js"},
    {"matlab", "MATLAB"},
    {"mlir", "MLIR"},
    {"mlx", "MLX"},
    {"mxnet", "MXNet"},
    {"ndarray", "ndarray (Rust)"},
    {"ndonnx", "ndonnx"},
    {"nd4j", "ND4J"},
    {"numba", "Numba"},
    {"numpy", "NumPy"},
    {"numpy-ts", "numpy-ts"},
    {"nx", "Nx (Elixir)"},
    {"octave", "Octave"},
    {"onnx", "ONNX"},
    {"onnxruntime", "ONNX Runtime"},
    {"openvino", "OpenVINO"},
    {"paddle", "PaddlePaddle"},
    {"pandas", "pandas"},
    {"pyrefly", "Pyrefly"},
    {"python", "Python"},
    {"pytensor", "PyTensor"},
    {"pytorch", "PyTorch"},
    {"r", "R"},
    {"scikit-learn", "scikit-learn"},
    {"scipy", "SciPy"},
    {"sparse", "Sparse"},
    {"stdlib", "stdlib"},
    {"sympy", "SymPy"},
    {"tensorflow", "TensorFlow"},
    {"tensorrt", "TensorRT"},
    {"tfjs", "TensorFlow.js"},
    {"tflite", "LiteRT"},
    {"theano", "Theano"},
    {"tinygrad", "tinygrad"},
    {"tvm", "TVM"},
    {"unknown", "an unknown system"},
    {"xarray", "xarray"},
    {"xla", "XLA"},
    {"xtensor", "xtensor"},
};

struct Operation {
  std::string_view theirs;  // in lower case
  std::string_view ours;
};

// Behind a prefix such as broadcast_ and without a suffix such as V2.
constexpr Operation kOperations[] = {
    {"+", "Add"},
    {"-", "Sub"},
    {"*", "Mul"},
    {".+", "Add"},
    {".-", "Sub"},
    {".*", "Mul"},
    {"./", "Div"},
    {"/", "Div"},
    {"%", "Mod"},
    {"**", "Pow"},
    {".^", "Pow"},
    {"^", "Pow"},
    {"==", "Equal"},
    {"!=", "NotEqual"},
    {"<", "Less"},
    {"<=", "LessOrEqual"},
    {">", "Greater"},
    {">=", "GreaterOrEqual"},
    {"&", "BitwiseAnd"},
    {"|", "BitwiseOr"},
    {"&&", "And"},
    {"||", "Or"},
    {"<<", "BitShift"},
    {">>", "BitShift"},
    {"add", "Add"},
    {"sub", "Sub"},
    {"subtract", "Sub"},
    {"subtraction", "Sub"},
    {"addition", "Add"},
    {"mul", "Mul"},
    {"multiply", "Mul"},
    {"product", "Mul"},
    {"div", "Div"},
    {"divide", "Div"},
    {"quotient", "Div"},
    {"realdiv", "Div"},
    {"true_divide", "Div"},
    {"truediv", "Div"},
    {"rem", "Mod"},
    {"mod", "Mod"},
    {"remainder", "Mod"},
    {"floormod", "Mod"},
    {"pow", "Pow"},
    {"power", "Pow"},
    {"squareddifference", "SquaredDifference"},
    {"max", "Max"},
    {"maximum", "Max"},
    {"min", "Min"},
    {"minimum", "Min"},
    {"sum", "Sum"},
    {"mean", "Mean"},
    {"eq", "Equal"},
    {"equal", "Equal"},
    {"ne", "NotEqual"},
    {"notequal", "NotEqual"},
    {"not_equal", "NotEqual"},
    {"lt", "Less"},
    {"less", "Less"},
    {"le", "LessOrEqual"},
    {"lessorequal", "LessOrEqual"},
    {"lessequal", "LessOrEqual"},
    {"less_equal", "LessOrEqual"},
    {"gt", "Greater"},
    {"greater", "Greater"},
    {"ge", "GreaterOrEqual"},
    {"greaterorequal", "GreaterOrEqual"},
    {"greaterequal", "GreaterOrEqual"},
    {"greater_equal", "GreaterOrEqual"},
    {"and", "And"},
    {"logicaland", "And"},
    {"logical_and", "And"},
    {"or", "Or"},
    {"logicalor", "Or"},
    {"logical_or", "Or"},
    {"xor", "Xor"},
    {"logicalxor", "Xor"},
    {"logical_xor", "Xor"},
    {"bitwiseand", "BitwiseAnd"},
    {"bitwise_and", "BitwiseAnd"},
    {"bitwiseor", "BitwiseOr"},
    {"bitwise_or", "BitwiseOr"},
    {"bitwisexor", "BitwiseXor"},
    {"bitwise_xor", "BitwiseXor"},
    {"bitshift", "BitShift"},
    {"prelu", "PRelu"},
    {"where", "Where"},
    {"select", "Where"},
    {"select_n", "Where"},
    {"where_cond", "Where"},
    {"expand", "Broadcast"},
    {"broadcast", "Broadcast"},
    {"broadcastto", "Broadcast"},
    {"broadcast_to", "Broadcast"},
};

struct OperatorRule {
  std::string_view system;
  std::string_view op;
  std::string_view rule;
};

constexpr OperatorRule kOperatorRules[] = {
    {"onnxruntime", "Expand", "bidirectional"},
    {"onnxruntime", "Gemm", "onnx_unidirectional"},
    {"onnxruntime", "PRelu", "onnx_unidirectional"},
    {"onnxruntime", "MatMul", "matmul"},
    {"onnx", "Expand", "bidirectional"},
    {"onnx", "Gemm", "onnx_unidirectional"},
    {"onnx", "PRelu", "onnx_unidirectional"},
    {"onnx", "MatMul", "matmul"},
    {"tensorflow", "MatMul", "matmul"},
    {"tensorflow", "BatchMatMul", "matmul"},
    {"tensorflow", "BatchMatMulV2", "matmul"},
    {"tensorflow", "AddN", "none"},
    {"candle", "matmul", "matmul"},
    {"candle", "reshape", "reshape"},
    {"openvino", "PRelu", "onnx_unidirectional"},
    {"openvino", "MatMul", "matmul"},
};

struct RuleNote {
  std::string_view rule;
  std::string_view note;
};

constexpr RuleNote kRuleNotes[] = {
    {"left_aligned",
     "This system aligns axes at the left: NumPy's rule, which aligns them at "
     "the right, does not apply."},
    {"recycled",
     "R recycles the elements of the shorter operand, in the order of memory, "
     "and requires equal dimensions of arrays. It does not broadcast: no rule "
     "of Broadloom applies."},
    {"by_name",
     "This system matches axes by their names, not by their positions, and an "
     "axis of extent 1 is not stretched."},
    {"nested",
     "Awkward Array broadcasts nested lists from the left, and only regular "
     "axes like NumPy."},
};

struct Kind {
  std::string_view kind;
  std::string_view message;
};

// Each says what it is instead of a broadcast, and what helps.
constexpr Kind kKinds[] = {
    {"reshape",
     "This is a reshape, not a broadcast: the extents of the new shape must "
     "multiply to the number of elements, and -1 in place of one extent has it "
     "computed."},
    {"matmul",
     "This is a product of matrices, not a broadcast: the last axis of the "
     "first operand and the last but one of the second must be equal, so "
     "transpose an operand or change a layer's size; only the axes before them "
     "are broadcast."},
    {"einsum",
     "This is an einsum, not a broadcast by position: a letter must have the "
     "same extent in all operands, so compare the letters with the shapes."},
    {"core dimensions",
     "This function takes whole axes, as a product of matrices does, and these "
     "are not broadcast: they must be equal, so transpose or swap the "
     "operands."},
    {"concatenate",
     "This joins arrays, which broadcasts nothing: their extents must be equal "
     "on all axes but the one along which they are joined, so choose another "
     "axis, or cut or pad them."},
    {"index",
     "This is an index beyond the array, not a broadcast: compare the indices "
     "with the array's shape, of which each axis takes one."},
    {"axis",
     "This names an axis that the array does not have, and is no broadcast: "
     "axes are counted from 0, so compare it with the array's shape."},
    {"layer",
     "This is an input that a model or layer was not built for, not a "
     "broadcast: give it the shape that it expects, or build it for yours."},
    {"ragged",
     "This makes an array of lists of unequal lengths, which is no broadcast: "
     "pad them to one length, or keep them as a list."},
    {"call",
     "This is a call with other arguments than the function takes, not a "
     "broadcast: compare it with the function's signature."},
};

struct Word {
  std::string_view word;
  std::string_view kind;
};

// In lower case.
constexpr Word kWords[] = {
    {"reshape", "reshape"},     {"concat", "concatenate"},
    {"matmul", "matmul"},       {"matrix mult", "matmul"},
    {"multiplied", "matmul"},   {"gemm", "matmul"},
    {"dot product", "matmul"},  {"einsum", "einsum"},
    {"out of bounds", "index"}, {"out of range", "index"},
};

}  // namespace

std::span<const Format> AllFormats() { return kFormats; }

std::string_view SystemTitle(std::string_view system) {
  for (const Title& row : kTitles) {
    if (row.system == system) return row.title;
  }
  return system;
}

std::string_view RuleOfOperator(std::string_view system, std::string_view op) {
  for (const OperatorRule& row : kOperatorRules) {
    if (row.system == system && row.op == op) return row.rule;
  }
  if (system == "candle" && op.starts_with("broadcast_")) return "numpy";
  return {};
}

std::string_view OperatorName(std::string_view op) {
  char lower[40];
  const auto lookup = [&](std::string_view word) -> std::string_view {
    if (word.empty() || word.size() > sizeof lower) return {};
    for (size_t i = 0; i < word.size(); ++i) {
      const char c = word[i];
      lower[i] = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
    for (const Operation& row : kOperations) {
      if (row.theirs == std::string_view(lower, word.size())) return row.ours;
    }
    return {};
  };
  if (const size_t dot = op.rfind('.');
      dot != std::string_view::npos && dot + 1 < op.size() && dot > 0) {
    op.remove_prefix(dot + 1);
  }
  if (const std::string_view found = lookup(op); !found.empty()) return found;
  if (op.ends_with("V2")) op.remove_suffix(2);
  for (const std::string_view suffix : {"_v2", "_"}) {
    if (op.ends_with(suffix)) op.remove_suffix(suffix.size());
  }
  for (const std::string_view prefix : {"broadcast_", "elementwise_"}) {
    if (op.starts_with(prefix)) op.remove_prefix(prefix.size());
  }
  return lookup(op);
}

std::string_view NoteOfRule(std::string_view rule) {
  for (const RuleNote& row : kRuleNotes) {
    if (row.rule == rule) return row.note;
  }
  return {};
}

std::string_view MessageOfKind(std::string_view kind) {
  for (const Kind& row : kKinds) {
    if (row.kind == kind) return row.message;
  }
  return {};
}

std::string_view KindInLine(std::string_view line) {
  const auto lower = [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  };
  for (const Word& row : kWords) {
    const auto found = std::ranges::search(line, row.word, {}, lower).begin();
    if (found != line.end()) return row.kind;
  }
  return {};
}

}  // namespace v1
}  // namespace broadloom
