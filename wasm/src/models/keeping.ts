// Operators that keep the shape of their first input.

/** Operators of ONNX whose first result has the first input's shape. */
export const KEEPING_OPERATORS = new Set(
  `Abs Acos Acosh Asin Asinh Atan Atanh BatchNormalization Bernoulli BitCast BitwiseNot Cast CastLike Ceil Celu Clip Cos
  Cosh CumProd CumSum DequantizeLinear Dropout Elu Erf Exp EyeLike Floor Gelu GroupNormalization HardSigmoid HardSwish
  Hardmax Identity InstanceNormalization IsInf IsNaN LRN LayerNormalization LeakyRelu Log LogSoftmax LpNormalization
  MeanVarianceNormalization Mish Neg Not QuantizeLinear RMSNormalization RandomNormalLike RandomUniformLike Reciprocal Relu
  ReverseSequence Round Scatter ScatterElements ScatterND Selu Shrink Sigmoid Sign Sin Sinh Softmax Softplus Softsign Sqrt
  Swish Tan Tanh TensorScatter ThresholdedRelu Trilu`.split(/\s+/),
);

/** Layers of OpenVINO whose result has the shape of their first input. */
export const KEEPING_LAYERS = new Set(
  `Abs Acos Acosh Asin Asinh Atan Atanh Ceiling Clamp Convert ConvertLike Cos Cosh Elu Erf Exp FakeConvert FakeQuantize
  Floor Gelu GRN HardSigmoid HSigmoid HSwish HardSwish LogSoftmax Log LogicalNot MVN Mish Negative NormalizeL2 ReLU Round
  SeLU Sigmoid Sign Sin Sinh SoftMax Softmax SoftPlus SoftSign Sqrt Swish Tan Tanh`.split(/\s+/),
);
