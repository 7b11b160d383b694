// Made from the core by scripts/generate-vocabulary.mjs; not to be changed by hand.

/** The name of an element type. */
export type DType =
  /** one byte; any nonzero byte is true */
  | 'bool'
  /** 8-bit two's complement integer */
  | 'i8'
  /** 16-bit two's complement integer */
  | 'i16'
  /** 32-bit two's complement integer */
  | 'i32'
  /** 64-bit two's complement integer */
  | 'i64'
  /** 8-bit unsigned integer */
  | 'u8'
  /** 16-bit unsigned integer */
  | 'u16'
  /** 32-bit unsigned integer */
  | 'u32'
  /** 64-bit unsigned integer */
  | 'u64'
  /** IEEE 754 binary16 */
  | 'f16'
  /** bfloat16: the upper half of binary32 */
  | 'bf16'
  /** IEEE 754 binary32 */
  | 'f32'
  /** IEEE 754 binary64 */
  | 'f64'
  /** 8-bit float, 4 exponent bits; moved only */
  | 'f8e4m3'
  /** 8-bit float, 5 exponent bits; moved only */
  | 'f8e5m2'
  /** complex of two binary32; moved only */
  | 'c64'
  /** complex of two binary64; moved only */
  | 'c128'
  /** 4-bit integer, two a byte; moved only */
  | 'i4'
  /** 4-bit unsigned, two a byte; moved only */
  | 'u4'
  /** 1 bit, eight a byte; moved only */
  | 'u1';

/** The name of an operator. */
export type OpName =
  /** sum of two; integers wrap */
  | 'Add'
  /** difference; integers wrap */
  | 'Sub'
  /** product; integers wrap */
  | 'Mul'
  /** quotient; integers truncate toward zero, x / 0 is 0 */
  | 'Div'
  /** remainder with the divisor's sign; with fmod=1 the dividend's */
  | 'Mod'
  /** a to the power b; b may be of another number type */
  | 'Pow'
  /** square of the difference; integers wrap */
  | 'SquaredDifference'
  /** largest of all inputs; NaN when any is NaN */
  | 'Max'
  /** smallest of all inputs; NaN when any is NaN */
  | 'Min'
  /** sum of all inputs, left to right; f16 and bf16 are added in f32 */
  | 'Sum'
  /** sum of all inputs divided by their number */
  | 'Mean'
  /** true where both are equal; NaN equals nothing */
  | 'Equal'
  /** true where both differ; NaN differs from all */
  | 'NotEqual'
  /** true where a is smaller */
  | 'Less'
  /** true where a is smaller or equal */
  | 'LessOrEqual'
  /** true where a is larger */
  | 'Greater'
  /** true where a is larger or equal */
  | 'GreaterOrEqual'
  /** true where both are */
  | 'And'
  /** true where either is */
  | 'Or'
  /** true where exactly one is */
  | 'Xor'
  /** bits set in both */
  | 'BitwiseAnd'
  /** bits set in either */
  | 'BitwiseOr'
  /** bits set in exactly one */
  | 'BitwiseXor'
  /** bits moved by b; a shift of the width or more gives 0 */
  | 'BitShift'
  /** a where a is not negative, else a times the slope b */
  | 'PRelu'
  /** the second input where the first is true, else the third */
  | 'Where'
  /** the input as elements of the type `to`; integers wrap, or with saturate=1 saturate */
  | 'Cast'
  /** the input repeated into the result's shape */
  | 'Broadcast';

/** The name of a broadcasting rule. */
export type RuleName =
  /** shapes must be identical, rank included */
  | 'none'
  /** right-aligned; extents are equal or 1; every operand may stretch */
  | 'numpy'
  /** ONNX's form of the NumPy rule, for most of its elementwise operators */
  | 'onnx_multidirectional'
  /** B stretches to A, right-aligned; the result has A's shape */
  | 'onnx_unidirectional'
  /** B lines up with A's axes starting at `axis`; trailing 1s are ignored */
  | 'pdpd'
  /** data and target stretch to each other; the result may exceed the target */
  | 'bidirectional'
  /** data stretches to the target, right-aligned; never the target */
  | 'broadcast_numpy'
  /** axes_mapping names the target axis of each axis of data */
  | 'explicit'
  /** as NumPy, but every input comes back in the common shape */
  | 'sonnx';

/** The class of an error. */
export type ErrorCode =
  /** a text is not a shape; the bad token is marked */
  | 'parse'
  /** no operator, rule, type or attribute of that name */
  | 'unknown'
  /** the rule or operator takes another number of operands */
  | 'arity'
  /** an option that is missing, misplaced or wrong */
  | 'attribute'
  /** an extent that is negative, fractional or unsafe */
  | 'extent'
  /** element types that the operator does not take together */
  | 'dtype'
  /** the data does not hold what its shape says */
  | 'length'
  /** extents that cannot be broadcast together */
  | 'incompatible'
  /** an operand has more axes than the rule allows */
  | 'rank'
  /** the PDPD axis is below -1 or B does not fit from it */
  | 'axis'
  /** a missing, wrong or unwanted axes_mapping */
  | 'axes_mapping'
  /** a target shape with a negative extent */
  | 'negative_dim'
  /** the rule allows it, but the call's policy does not */
  | 'policy'
  /** more than 2^63-1 elements or bytes */
  | 'overflow'
  /** more bytes than the budget or platform can address */
  | 'limit'
  /** the result overlaps, but is not, an operand */
  | 'overlap'
  /** memory was refused */
  | 'allocation';

/** What exactly is wrong, within a class. */
export type DetailName =
  /** more or fewer entries than are needed */
  | 'size'
  /** axes_mapping must increase */
  | 'unsorted'
  /** an axis, index or flag that is not there */
  | 'out_of_range'
  /** two axes mapped to one */
  | 'duplicate'
  /** an option that this rule needs is not given */
  | 'missing'
  /** an option that this rule does not take */
  | 'unexpected'
  /** an extent must be a whole number */
  | 'fractional'
  /** an extent must not be negative */
  | 'negative'
  /** a number too large to be held exactly */
  | 'unsafe'
  /** there is nothing to read */
  | 'empty_text'
  /** neither a number nor a separator */
  | 'bad_token'
  /** a separator without a number */
  | 'no_number'
  /** a bracket is not closed */
  | 'unclosed'
  /** a bracket that closes none */
  | 'unopened'
  /** brackets are nested deeper than 4 levels */
  | 'too_deep'
  /** nothing may follow the bracket */
  | 'trailing'
  /** no operator of that name */
  | 'op'
  /** no rule of that name, or not for this operator */
  | 'rule'
  /** no element type of that name */
  | 'dtype'
  /** one for each axis; no element is written twice */
  | 'strides'
  /** operands of different element types */
  | 'mixed'
  /** the operator does not take this type */
  | 'unsupported'
  /** the result's tensor has another shape or type */
  | 'output'
  /** blocks that were made of another plan */
  | 'other_plan'
  /** memory that is not aligned to 64 bytes */
  | 'misaligned'
  /** the plan is made for another number */
  | 'other_count'
  /** offset and strides lead beyond the memory */
  | 'offset'
  /** the memory to work in is too small */
  | 'memory'
  /** more threads than there may be */
  | 'threads'
  /** left out when the library was built */
  | 'not_built'
  /** an axis would be added */
  | 'no_rank_promotion'
  /** an axis of extent 1 would be repeated */
  | 'no_stretching'
  /** axes with different names would line up */
  | 'same_names';

/** A document that governs rules. */
export type DocumentName =
  /** OpenVINO: Broadcast Rules For Elementwise Operations */
  | 'broadcast_rules'
  /** OpenVINO: Broadcast Rules For Elementwise Operations (None, PDPD) */
  | 'broadcast_rules_pdpd'
  /** ONNX: Broadcasting in ONNX */
  | 'onnx_broadcasting'
  /** OpenVINO: Broadcast-3 */
  | 'broadcast_3'
  /** SONNX: broadcast operator */
  | 'sonnx_broadcast';

/** A clause of such a document. */
export type ClauseName =
  | 'none.1'
  | 'numpy.1'
  | 'numpy.2'
  | 'numpy.3'
  | 'numpy.4'
  | 'onnx.multi.3'
  | 'onnx.multi.2'
  | 'onnx.uni.3'
  | 'onnx.uni.2'
  | 'onnx.uni.result'
  | 'pdpd.1'
  | 'pdpd.2'
  | 'pdpd.3'
  | 'pdpd.4'
  | 'pdpd.5'
  | 'bidirectional.1'
  | 'bidirectional.2'
  | 'bidirectional.3'
  | 'broadcast_3.numpy'
  | 'broadcast_3.explicit'
  | 'broadcast_3.axes_mapping'
  | 'broadcast_3.target_shape'
  | 'sonnx.rank'
  | 'sonnx.C1'
  | 'sonnx.relation';

/** How an operand takes part in one axis of the result. */
export type Relation = 'match' | 'stretch' | 'insert' | 'conflict';

/** What kind of change a repair is. */
export type RepairKind =
  | 'insert_axis'
  | 'remove_axis'
  | 'transpose'
  | 'reshape'
  | 'change_size'
  | 'change_target'
  | 'change_rule'
  | 'swap_operands';

/** How sure it is that a repair is what was meant. */
export type Grade = 'certain' | 'likely' | 'only_if_meant';

/** Why shapes do not fit. */
export type CauseKind =
  | 'missing_axis'
  | 'extra_axis'
  | 'axis_order'
  | 'flattened'
  | 'off_by_one'
  | 'sizes_differ'
  | 'empty_operand'
  | 'batch_remainder'
  | 'baked_constant'
  | 'one_direction'
  | 'target_meaning'
  | 'no_broadcast'
  | 'option'
  | 'policy'
  | 'too_large';

/** Why shapes that fit may not be meant to. */
export type WarningKind =
  | 'outer'
  | 'axis_names'
  | 'mask_axis'
  | 'accidental_match'
  | 'stretched_batch'
  | 'result_not_target'
  | 'other_systems'
  | 'empty_result'
  | 'large_result';

/** A system for which lines of code are written. */
export type CodeSystem =
  /** NumPy */
  | 'numpy'
  /** PyTorch */
  | 'pytorch'
  /** JAX */
  | 'jax'
  /** TensorFlow */
  | 'tensorflow'
  /** ONNX */
  | 'onnx'
  /** OpenVINO */
  | 'openvino'
  /** OpenVINO IR */
  | 'openvino-ir'
  /** Broadloom, JavaScript */
  | 'broadloom-js'
  /** Broadloom, C++ */
  | 'broadloom-cpp';

/** A kind of scalar without an element type: `true` is bool, `1` and `1n` are int, `1.5` is float. */
export type WeakKind = 'bool' | 'int' | 'float';

/**
 * What two element types become, or one and a kind of scalar, as NumPy promotes them; null where they have no common
 * type: `PromotionTable['i8']['u8']` is `'i16'`.
 */
export interface PromotionTable {
  bool: {
    bool: 'bool';
    i8: 'i8';
    i16: 'i16';
    i32: 'i32';
    i64: 'i64';
    u8: 'u8';
    u16: 'u16';
    u32: 'u32';
    u64: 'u64';
    f16: 'f16';
    bf16: 'bf16';
    f32: 'f32';
    f64: 'f64';
    f8e4m3: 'f8e4m3';
    f8e5m2: 'f8e5m2';
    c64: 'c64';
    c128: 'c128';
    i4: null;
    u4: null;
    u1: null;
    int: 'i64';
    float: 'f64';
  };
  i8: {
    bool: 'i8';
    i8: 'i8';
    i16: 'i16';
    i32: 'i32';
    i64: 'i64';
    u8: 'i16';
    u16: 'i32';
    u32: 'i64';
    u64: 'f64';
    f16: 'f16';
    bf16: 'bf16';
    f32: 'f32';
    f64: 'f64';
    f8e4m3: 'f8e4m3';
    f8e5m2: 'f8e5m2';
    c64: 'c64';
    c128: 'c128';
    i4: null;
    u4: null;
    u1: null;
    int: 'i8';
    float: 'f64';
  };
  i16: {
    bool: 'i16';
    i8: 'i16';
    i16: 'i16';
    i32: 'i32';
    i64: 'i64';
    u8: 'i16';
    u16: 'i32';
    u32: 'i64';
    u64: 'f64';
    f16: 'f32';
    bf16: null;
    f32: 'f32';
    f64: 'f64';
    f8e4m3: null;
    f8e5m2: 'f32';
    c64: 'c64';
    c128: 'c128';
    i4: null;
    u4: null;
    u1: null;
    int: 'i16';
    float: 'f64';
  };
  i32: {
    bool: 'i32';
    i8: 'i32';
    i16: 'i32';
    i32: 'i32';
    i64: 'i64';
    u8: 'i32';
    u16: 'i32';
    u32: 'i64';
    u64: 'f64';
    f16: 'f64';
    bf16: null;
    f32: 'f64';
    f64: 'f64';
    f8e4m3: null;
    f8e5m2: 'f64';
    c64: 'c128';
    c128: 'c128';
    i4: null;
    u4: null;
    u1: null;
    int: 'i32';
    float: 'f64';
  };
  i64: {
    bool: 'i64';
    i8: 'i64';
    i16: 'i64';
    i32: 'i64';
    i64: 'i64';
    u8: 'i64';
    u16: 'i64';
    u32: 'i64';
    u64: 'f64';
    f16: 'f64';
    bf16: null;
    f32: 'f64';
    f64: 'f64';
    f8e4m3: null;
    f8e5m2: 'f64';
    c64: 'c128';
    c128: 'c128';
    i4: null;
    u4: null;
    u1: null;
    int: 'i64';
    float: 'f64';
  };
  u8: {
    bool: 'u8';
    i8: 'i16';
    i16: 'i16';
    i32: 'i32';
    i64: 'i64';
    u8: 'u8';
    u16: 'u16';
    u32: 'u32';
    u64: 'u64';
    f16: 'f16';
    bf16: 'bf16';
    f32: 'f32';
    f64: 'f64';
    f8e4m3: 'f8e4m3';
    f8e5m2: 'f8e5m2';
    c64: 'c64';
    c128: 'c128';
    i4: null;
    u4: null;
    u1: null;
    int: 'u8';
    float: 'f64';
  };
  u16: {
    bool: 'u16';
    i8: 'i32';
    i16: 'i32';
    i32: 'i32';
    i64: 'i64';
    u8: 'u16';
    u16: 'u16';
    u32: 'u32';
    u64: 'u64';
    f16: 'f32';
    bf16: null;
    f32: 'f32';
    f64: 'f64';
    f8e4m3: null;
    f8e5m2: 'f32';
    c64: 'c64';
    c128: 'c128';
    i4: null;
    u4: null;
    u1: null;
    int: 'u16';
    float: 'f64';
  };
  u32: {
    bool: 'u32';
    i8: 'i64';
    i16: 'i64';
    i32: 'i64';
    i64: 'i64';
    u8: 'u32';
    u16: 'u32';
    u32: 'u32';
    u64: 'u64';
    f16: 'f64';
    bf16: null;
    f32: 'f64';
    f64: 'f64';
    f8e4m3: null;
    f8e5m2: 'f64';
    c64: 'c128';
    c128: 'c128';
    i4: null;
    u4: null;
    u1: null;
    int: 'u32';
    float: 'f64';
  };
  u64: {
    bool: 'u64';
    i8: 'f64';
    i16: 'f64';
    i32: 'f64';
    i64: 'f64';
    u8: 'u64';
    u16: 'u64';
    u32: 'u64';
    u64: 'u64';
    f16: 'f64';
    bf16: null;
    f32: 'f64';
    f64: 'f64';
    f8e4m3: null;
    f8e5m2: 'f64';
    c64: 'c128';
    c128: 'c128';
    i4: null;
    u4: null;
    u1: null;
    int: 'u64';
    float: 'f64';
  };
  f16: {
    bool: 'f16';
    i8: 'f16';
    i16: 'f32';
    i32: 'f64';
    i64: 'f64';
    u8: 'f16';
    u16: 'f32';
    u32: 'f64';
    u64: 'f64';
    f16: 'f16';
    bf16: null;
    f32: 'f32';
    f64: 'f64';
    f8e4m3: null;
    f8e5m2: 'f32';
    c64: 'c64';
    c128: 'c128';
    i4: null;
    u4: null;
    u1: null;
    int: 'f16';
    float: 'f16';
  };
  bf16: {
    bool: 'bf16';
    i8: 'bf16';
    i16: null;
    i32: null;
    i64: null;
    u8: 'bf16';
    u16: null;
    u32: null;
    u64: null;
    f16: null;
    bf16: 'bf16';
    f32: 'f32';
    f64: 'f64';
    f8e4m3: null;
    f8e5m2: null;
    c64: 'c64';
    c128: 'c128';
    i4: null;
    u4: null;
    u1: null;
    int: 'bf16';
    float: 'f64';
  };
  f32: {
    bool: 'f32';
    i8: 'f32';
    i16: 'f32';
    i32: 'f64';
    i64: 'f64';
    u8: 'f32';
    u16: 'f32';
    u32: 'f64';
    u64: 'f64';
    f16: 'f32';
    bf16: 'f32';
    f32: 'f32';
    f64: 'f64';
    f8e4m3: 'f32';
    f8e5m2: 'f32';
    c64: 'c64';
    c128: 'c128';
    i4: null;
    u4: null;
    u1: null;
    int: 'f32';
    float: 'f32';
  };
  f64: {
    bool: 'f64';
    i8: 'f64';
    i16: 'f64';
    i32: 'f64';
    i64: 'f64';
    u8: 'f64';
    u16: 'f64';
    u32: 'f64';
    u64: 'f64';
    f16: 'f64';
    bf16: 'f64';
    f32: 'f64';
    f64: 'f64';
    f8e4m3: 'f64';
    f8e5m2: 'f64';
    c64: 'c128';
    c128: 'c128';
    i4: null;
    u4: null;
    u1: null;
    int: 'f64';
    float: 'f64';
  };
  f8e4m3: {
    bool: 'f8e4m3';
    i8: 'f8e4m3';
    i16: null;
    i32: null;
    i64: null;
    u8: 'f8e4m3';
    u16: null;
    u32: null;
    u64: null;
    f16: null;
    bf16: null;
    f32: 'f32';
    f64: 'f64';
    f8e4m3: 'f8e4m3';
    f8e5m2: null;
    c64: 'c64';
    c128: 'c128';
    i4: null;
    u4: null;
    u1: null;
    int: 'f8e4m3';
    float: 'f64';
  };
  f8e5m2: {
    bool: 'f8e5m2';
    i8: 'f8e5m2';
    i16: 'f32';
    i32: 'f64';
    i64: 'f64';
    u8: 'f8e5m2';
    u16: 'f32';
    u32: 'f64';
    u64: 'f64';
    f16: 'f32';
    bf16: null;
    f32: 'f32';
    f64: 'f64';
    f8e4m3: null;
    f8e5m2: 'f8e5m2';
    c64: 'c64';
    c128: 'c128';
    i4: null;
    u4: null;
    u1: null;
    int: 'f8e5m2';
    float: 'f32';
  };
  c64: {
    bool: 'c64';
    i8: 'c64';
    i16: 'c64';
    i32: 'c128';
    i64: 'c128';
    u8: 'c64';
    u16: 'c64';
    u32: 'c128';
    u64: 'c128';
    f16: 'c64';
    bf16: 'c64';
    f32: 'c64';
    f64: 'c128';
    f8e4m3: 'c64';
    f8e5m2: 'c64';
    c64: 'c64';
    c128: 'c128';
    i4: null;
    u4: null;
    u1: null;
    int: 'c64';
    float: 'c64';
  };
  c128: {
    bool: 'c128';
    i8: 'c128';
    i16: 'c128';
    i32: 'c128';
    i64: 'c128';
    u8: 'c128';
    u16: 'c128';
    u32: 'c128';
    u64: 'c128';
    f16: 'c128';
    bf16: 'c128';
    f32: 'c128';
    f64: 'c128';
    f8e4m3: 'c128';
    f8e5m2: 'c128';
    c64: 'c128';
    c128: 'c128';
    i4: null;
    u4: null;
    u1: null;
    int: 'c128';
    float: 'c128';
  };
  i4: {
    bool: null;
    i8: null;
    i16: null;
    i32: null;
    i64: null;
    u8: null;
    u16: null;
    u32: null;
    u64: null;
    f16: null;
    bf16: null;
    f32: null;
    f64: null;
    f8e4m3: null;
    f8e5m2: null;
    c64: null;
    c128: null;
    i4: 'i4';
    u4: null;
    u1: null;
    int: null;
    float: null;
  };
  u4: {
    bool: null;
    i8: null;
    i16: null;
    i32: null;
    i64: null;
    u8: null;
    u16: null;
    u32: null;
    u64: null;
    f16: null;
    bf16: null;
    f32: null;
    f64: null;
    f8e4m3: null;
    f8e5m2: null;
    c64: null;
    c128: null;
    i4: null;
    u4: 'u4';
    u1: null;
    int: null;
    float: null;
  };
  u1: {
    bool: null;
    i8: null;
    i16: null;
    i32: null;
    i64: null;
    u8: null;
    u16: null;
    u32: null;
    u64: null;
    f16: null;
    bf16: null;
    f32: null;
    f64: null;
    f8e4m3: null;
    f8e5m2: null;
    c64: null;
    c128: null;
    i4: null;
    u4: null;
    u1: 'u1';
    int: null;
    float: null;
  };
  int: {
    bool: 'i64';
    i8: 'i8';
    i16: 'i16';
    i32: 'i32';
    i64: 'i64';
    u8: 'u8';
    u16: 'u16';
    u32: 'u32';
    u64: 'u64';
    f16: 'f16';
    bf16: 'bf16';
    f32: 'f32';
    f64: 'f64';
    f8e4m3: 'f8e4m3';
    f8e5m2: 'f8e5m2';
    c64: 'c64';
    c128: 'c128';
    i4: null;
    u4: null;
    u1: null;
    int: 'i64';
    float: 'f64';
  };
  float: {
    bool: 'f64';
    i8: 'f64';
    i16: 'f64';
    i32: 'f64';
    i64: 'f64';
    u8: 'f64';
    u16: 'f64';
    u32: 'f64';
    u64: 'f64';
    f16: 'f16';
    bf16: 'f64';
    f32: 'f32';
    f64: 'f64';
    f8e4m3: 'f64';
    f8e5m2: 'f32';
    c64: 'c64';
    c128: 'c128';
    i4: null;
    u4: null;
    u1: null;
    int: 'f64';
    float: 'f64';
  };
}

/**
 * The common type of two element types, or of one and a kind of scalar, as NumPy promotes them; never where there
 * is none.
 *
 * @example PromotedType<'i8', 'u8'> // 'i16'
 * @example PromotedType<'i32', 'int' | 'float'> // 'i32' | 'f64', as for a number of which no more is known
 */
export type PromotedType<A extends DType | WeakKind, B extends DType | WeakKind> = Extract<PromotionTable[A][B], DType>;

/**
 * What operators take, for the types of the package: element types of the leading operand and of each, which one
 * leads, which may be of a type of their own, the type of the result, what promotion makes of integers, the attribute
 * and the rules.
 */
export interface OpTable {
  /** sum of two; integers wrap */
  Add: {
    types: 'i8' | 'i16' | 'i32' | 'i64' | 'u8' | 'u16' | 'u32' | 'u64' | 'f16' | 'bf16' | 'f32' | 'f64';
    operands: [OpTable['Add']['types'], OpTable['Add']['types']];
    lead: 0;
    free: never;
    result: 'first';
    integersTo: never;
    attribute: never;
    rules: 'none' | 'numpy' | 'onnx_multidirectional' | 'onnx_unidirectional' | 'pdpd';
  };
  /** difference; integers wrap */
  Sub: {
    types: OpTable['Add']['types'];
    operands: [OpTable['Add']['types'], OpTable['Add']['types']];
    lead: 0;
    free: never;
    result: 'first';
    integersTo: never;
    attribute: never;
    rules: OpTable['Add']['rules'];
  };
  /** product; integers wrap */
  Mul: {
    types: OpTable['Add']['types'];
    operands: [OpTable['Add']['types'], OpTable['Add']['types']];
    lead: 0;
    free: never;
    result: 'first';
    integersTo: never;
    attribute: never;
    rules: OpTable['Add']['rules'];
  };
  /** quotient; integers truncate toward zero, x / 0 is 0 */
  Div: {
    types: OpTable['Add']['types'];
    operands: [OpTable['Add']['types'], OpTable['Add']['types']];
    lead: 0;
    free: never;
    result: 'first';
    integersTo: 'f64';
    attribute: never;
    rules: OpTable['Add']['rules'];
  };
  /** remainder with the divisor's sign; with fmod=1 the dividend's */
  Mod: {
    types: OpTable['Add']['types'];
    operands: [OpTable['Add']['types'], OpTable['Add']['types']];
    lead: 0;
    free: never;
    result: 'first';
    integersTo: never;
    attribute: 'fmod';
    rules: OpTable['Add']['rules'];
  };
  /** a to the power b; b may be of another number type */
  Pow: {
    types: OpTable['Add']['types'];
    operands: [OpTable['Add']['types'], OpTable['Add']['types']];
    lead: 0;
    free: '1';
    result: 'first';
    integersTo: never;
    attribute: never;
    rules: OpTable['Add']['rules'];
  };
  /** square of the difference; integers wrap */
  SquaredDifference: {
    types: OpTable['Add']['types'];
    operands: [OpTable['Add']['types'], OpTable['Add']['types']];
    lead: 0;
    free: never;
    result: 'first';
    integersTo: never;
    attribute: never;
    rules: OpTable['Add']['rules'];
  };
  /** largest of all inputs; NaN when any is NaN */
  Max: {
    types: OpTable['Add']['types'];
    operands: OpTable['Add']['types'][];
    lead: 0;
    free: never;
    result: 'first';
    integersTo: never;
    attribute: never;
    rules: OpTable['Add']['rules'];
  };
  /** smallest of all inputs; NaN when any is NaN */
  Min: {
    types: OpTable['Add']['types'];
    operands: OpTable['Add']['types'][];
    lead: 0;
    free: never;
    result: 'first';
    integersTo: never;
    attribute: never;
    rules: OpTable['Add']['rules'];
  };
  /** sum of all inputs, left to right; f16 and bf16 are added in f32 */
  Sum: {
    types: 'f16' | 'bf16' | 'f32' | 'f64';
    operands: OpTable['Sum']['types'][];
    lead: 0;
    free: never;
    result: 'first';
    integersTo: never;
    attribute: never;
    rules: OpTable['Add']['rules'];
  };
  /** sum of all inputs divided by their number */
  Mean: {
    types: OpTable['Sum']['types'];
    operands: OpTable['Sum']['types'][];
    lead: 0;
    free: never;
    result: 'first';
    integersTo: never;
    attribute: never;
    rules: OpTable['Add']['rules'];
  };
  /** true where both are equal; NaN equals nothing */
  Equal: {
    types: 'bool' | 'i8' | 'i16' | 'i32' | 'i64' | 'u8' | 'u16' | 'u32' | 'u64' | 'f16' | 'bf16' | 'f32' | 'f64';
    operands: [OpTable['Equal']['types'], OpTable['Equal']['types']];
    lead: 0;
    free: never;
    result: 'bool';
    integersTo: never;
    attribute: never;
    rules: OpTable['Add']['rules'];
  };
  /** true where both differ; NaN differs from all */
  NotEqual: {
    types: OpTable['Equal']['types'];
    operands: [OpTable['Equal']['types'], OpTable['Equal']['types']];
    lead: 0;
    free: never;
    result: 'bool';
    integersTo: never;
    attribute: never;
    rules: OpTable['Add']['rules'];
  };
  /** true where a is smaller */
  Less: {
    types: OpTable['Add']['types'];
    operands: [OpTable['Add']['types'], OpTable['Add']['types']];
    lead: 0;
    free: never;
    result: 'bool';
    integersTo: never;
    attribute: never;
    rules: OpTable['Add']['rules'];
  };
  /** true where a is smaller or equal */
  LessOrEqual: {
    types: OpTable['Add']['types'];
    operands: [OpTable['Add']['types'], OpTable['Add']['types']];
    lead: 0;
    free: never;
    result: 'bool';
    integersTo: never;
    attribute: never;
    rules: OpTable['Add']['rules'];
  };
  /** true where a is larger */
  Greater: {
    types: OpTable['Add']['types'];
    operands: [OpTable['Add']['types'], OpTable['Add']['types']];
    lead: 0;
    free: never;
    result: 'bool';
    integersTo: never;
    attribute: never;
    rules: OpTable['Add']['rules'];
  };
  /** true where a is larger or equal */
  GreaterOrEqual: {
    types: OpTable['Add']['types'];
    operands: [OpTable['Add']['types'], OpTable['Add']['types']];
    lead: 0;
    free: never;
    result: 'bool';
    integersTo: never;
    attribute: never;
    rules: OpTable['Add']['rules'];
  };
  /** true where both are */
  And: {
    types: 'bool';
    operands: ['bool', 'bool'];
    lead: 0;
    free: never;
    result: 'bool';
    integersTo: never;
    attribute: never;
    rules: OpTable['Add']['rules'];
  };
  /** true where either is */
  Or: {
    types: 'bool';
    operands: ['bool', 'bool'];
    lead: 0;
    free: never;
    result: 'bool';
    integersTo: never;
    attribute: never;
    rules: OpTable['Add']['rules'];
  };
  /** true where exactly one is */
  Xor: {
    types: 'bool';
    operands: ['bool', 'bool'];
    lead: 0;
    free: never;
    result: 'bool';
    integersTo: never;
    attribute: never;
    rules: OpTable['Add']['rules'];
  };
  /** bits set in both */
  BitwiseAnd: {
    types: 'i8' | 'i16' | 'i32' | 'i64' | 'u8' | 'u16' | 'u32' | 'u64';
    operands: [OpTable['BitwiseAnd']['types'], OpTable['BitwiseAnd']['types']];
    lead: 0;
    free: never;
    result: 'first';
    integersTo: never;
    attribute: never;
    rules: OpTable['Add']['rules'];
  };
  /** bits set in either */
  BitwiseOr: {
    types: OpTable['BitwiseAnd']['types'];
    operands: [OpTable['BitwiseAnd']['types'], OpTable['BitwiseAnd']['types']];
    lead: 0;
    free: never;
    result: 'first';
    integersTo: never;
    attribute: never;
    rules: OpTable['Add']['rules'];
  };
  /** bits set in exactly one */
  BitwiseXor: {
    types: OpTable['BitwiseAnd']['types'];
    operands: [OpTable['BitwiseAnd']['types'], OpTable['BitwiseAnd']['types']];
    lead: 0;
    free: never;
    result: 'first';
    integersTo: never;
    attribute: never;
    rules: OpTable['Add']['rules'];
  };
  /** bits moved by b; a shift of the width or more gives 0 */
  BitShift: {
    types: 'u8' | 'u16' | 'u32' | 'u64';
    operands: [OpTable['BitShift']['types'], OpTable['BitShift']['types']];
    lead: 0;
    free: never;
    result: 'first';
    integersTo: never;
    attribute: 'direction';
    rules: OpTable['Add']['rules'];
  };
  /** a where a is not negative, else a times the slope b */
  PRelu: {
    types: 'i32' | 'i64' | 'u32' | 'u64' | 'f16' | 'bf16' | 'f32' | 'f64';
    operands: [OpTable['PRelu']['types'], OpTable['PRelu']['types']];
    lead: 0;
    free: never;
    result: 'first';
    integersTo: never;
    attribute: never;
    rules: OpTable['Add']['rules'];
  };
  /** the second input where the first is true, else the third */
  Where: {
    types: DType;
    operands: ['bool', DType, DType];
    lead: 1;
    free: '0';
    result: 'second';
    integersTo: never;
    attribute: never;
    rules: 'none' | 'numpy' | 'onnx_multidirectional';
  };
  /** the input as elements of the type `to`; integers wrap, or with saturate=1 saturate */
  Cast: {
    types: OpTable['Equal']['types'];
    operands: [OpTable['Equal']['types']];
    lead: 0;
    free: never;
    result: 'to';
    integersTo: never;
    attribute: 'to';
    rules: OpTable['Where']['rules'];
  };
  /** the input repeated into the result's shape */
  Broadcast: {
    types: DType;
    operands: DType[];
    lead: 0;
    free: never;
    result: 'first';
    integersTo: never;
    attribute: never;
    rules: 'bidirectional' | 'broadcast_numpy' | 'explicit' | 'sonnx';
  };
}
