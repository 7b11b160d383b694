// The generated Python code runs and gives the package's results, bit for bit, except for the known differences of a
// system, which are listed here.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { encodeFloat, isSmallFloat } from 'broadloom/floats';
import { inRoot } from '../../scripts/paths.mjs';
import { answers, arrayOf, cases, difference, received, unitsOf, vocabulary } from './cases.mjs';
import { python, writers } from './systems.mjs';

const { ops, dtypes, rules } = vocabulary;
// Rows of the operators' table: of each operator its spellings by column, several where they depend on type or attribute.
const columns = ['numpy', 'pytorch', 'tensorflow', 'onnx', 'openvino', 'layer'];
const operators = rowsOf(readFileSync(inRoot('explain/src/code/operators.cc'), 'utf8'));
const writerOf = (id) => writers.find((writer) => writer.id === id);
const computes = ({ op }) => op.name !== 'Broadcast' && op.name !== 'Where';
// The types of results: the operands' own, and those that Cast makes.
const typesIn = ({ op, attributes, operands }) => [
  ...operands.map(({ dtype }) => dtype),
  ...(op.name === 'Cast' ? [attributes.to] : []),
];
const beyond = (title) => `${title} leaves open what floats beyond an integer type become.`;
const leading = ({ op, operands }) => operands[op.name === 'Where' ? 1 : 0].dtype;

// Every question for which the writer has a text, with that text, and its reasons for the others.
function textsOf(id) {
  const texts = [];
  const reasons = new Set();
  for (const question of cases) {
    const { text, reason } = writerOf(id).write(question);
    if (text === undefined) reasons.add(reason);
    else texts.push({ question, text });
  }
  return { texts, reasons: [...reasons].sort() };
}

// A description of the error in an answer, or null. `loose`: tolerated units in the last place; null accepts every
// value.
function wrong(question, answer, loose) {
  if (answer.error) return answer.error;
  const wanted = answers(question);
  if (answer.outs.length !== wanted.length) return `${answer.outs.length} results for ${wanted.length}`;
  const units = loose(question);
  const one = (tensor, got) => {
    if (units === null) return difference({ ...tensor, data: got.data }, got);
    return difference(tensor, got, Math.max(units, unitsOf(question)));
  };
  return wanted.map((tensor, i) => one(tensor, received(answer.outs[i]))).find((found) => found !== null) ?? null;
}

async function allRight(texts, { work = texts.map(({ text }) => ({ text })), loose = () => 0 } = {}) {
  const got = await python('run.py', work);
  const faults = texts.flatMap(({ question, text }, i) => {
    const fault = wrong(question, got[i], loose);
    return fault === null ? [] : [`${question.id}: ${fault}\n${text}`];
  });
  assert.equal(faults.length, 0, `${faults.length} of ${texts.length}:\n${faults.slice(0, 5).join('\n')}`);
}

// Reads kOperators: {Op::kAdd, "a + b", kAsNumPy, kAsNumPy, "Add", {{kIfFmod, "mod"}, {0, "floor_mod"}}, ...}.
function rowsOf(source) {
  const table = /kOperators\[\] = \{([^]*?)\n\};/.exec(source)[1].replaceAll(/^ *\/\/.*$/gm, '');
  const token = /"(?:[^"\\]|\\.)*"|[{}]|[\w:|]+/g;
  const rows = {};
  let depth = 0;
  let row = [];
  for (const [one] of table.matchAll(token)) {
    if (one === '{' && depth++ === 0) row = [];
    else if (one === '{' && depth === 2) row.push([]);
    else if (one === '}' && --depth === 0)
      rows[row[0].replace('Op::k', '')] = Object.fromEntries(columns.map((column, i) => [column, [row[i + 1]].flat()]));
    else if (depth === 1 && one !== '}') row.push(one.startsWith('"') ? JSON.parse(one) : one);
    else if (one.startsWith('"')) row.at(-1).push(JSON.parse(one));
  }
  return rows;
}

// PyTorch and TensorFlow are spelled as NumPy where the table says so.
const spelled = (row, column) => (row[column][0] === 'kAsNumPy' ? row.numpy : row[column]);

// All texts in a column of the operators' table.
const spellingsIn = (column) =>
  Object.values(operators).flatMap((row) => spelled(row, column).filter((text) => !/^k[A-Z]/.test(text)));

// The operators that a system does not have, by the table; `sentence` is what the package says of one.
const lackedBy = (column, sentence) =>
  Object.entries(operators).flatMap(([name, row]) => (spelled(row, column)[0] === 'kNone' ? [sentence(name)] : []));
const noOperator = (title) => (name) => `${title} has no operator ${name}.`;

// Every name of its library that a writer may write is in a text that is run, so that a wrong name is found, and one that
// the stand-in lacks. In the operators' table `np` is any library's module.
function assertAllNamesRun(texts, library, column) {
  const source = [
    readFileSync(inRoot('explain/src/code/array_library.cc'), 'utf8'),
    ...spellingsIn(column).map((pattern) => pattern.replaceAll(/\bnp\./g, `${library}.`)),
  ].join('\n');
  const names = source.match(new RegExp(`\\b${library}(\\.\\w+)+`, 'g'));
  const run = texts.map(({ text }) => text).join('\n');
  const untried = [...new Set(names)].filter((name) => !new RegExp(`\\b${name}\\b`).test(run));
  assert.deepEqual(untried, []);
}

test('the questions cover every rule, operator and element type', () => {
  const all = (pick) => new Set(cases.map(pick));
  assert.deepEqual(
    all(({ rule }) => rule),
    new Set(Object.keys(rules)),
  );
  assert.deepEqual(
    all(({ op }) => op.name),
    new Set(Object.keys(ops)),
  );
  assert.deepEqual(
    all(({ operands }) => operands.at(-1).dtype),
    new Set(Object.keys(dtypes)),
  );
});

test('every operator is spelled in every system, or said to be absent', () => {
  assert.deepEqual(Object.keys(operators).sort(), Object.keys(ops).sort());
  for (const [name, row] of Object.entries(operators)) {
    for (const column of columns) {
      assert.ok(row[column].length > 0 && row[column].every((text) => typeof text === 'string' && text !== ''), name);
    }
  }
});

test('bits of small floats equal those of NumPy and ml_dtypes', async () => {
  const values = [
    0, -0, 1, -1.5, 0.1, 3.14159, 1e-8, 6e-8, 2e-5, 0.0019, 239, 240, 300, 448, 464, 65504, 65519, 65520, 1e30, 3.4e38,
  ];
  for (let i = 0; i < 400; ++i) values.push(Math.sin(i) * 2 ** ((i % 60) - 30));
  const types = {
    f16: 'np.float16',
    bf16: 'ml_dtypes.bfloat16',
    f8e4m3: 'ml_dtypes.float8_e4m3fn',
    f8e5m2: 'ml_dtypes.float8_e5m2',
  };
  const text = (type) =>
    `import ml_dtypes\nimport numpy as np\nout = np.array([${values.map((v) => (Object.is(v, -0) ? '-0.0' : v)).join(',')}]).astype(${type})`;
  const got = await python(
    'run.py',
    Object.values(types).map((type) => ({ text: text(type) })),
  );
  for (const [i, dtype] of Object.keys(types).entries()) {
    assert.ok(isSmallFloat(dtype));
    const bytes = Buffer.from(got[i].outs[0].b64, 'base64');
    const bits = values.map((_, k) => (dtype.includes('16') ? bytes.readUInt16LE(2 * k) : bytes[k]));
    assert.deepEqual(
      values.map((value) => encodeFloat(value, dtype)),
      bits,
      dtype,
    );
  }
});

test('NumPy', async () => {
  const { texts, reasons } = textsOf('numpy');
  const lacked = lackedBy('numpy', noOperator('NumPy'));
  assert.deepEqual(reasons, ['NumPy has no element type u1.', beyond('NumPy'), ...lacked].sort());
  assertAllNamesRun(texts, 'np', 'numpy');
  await allRight(texts);
});

test('ONNX, by its reference evaluator', async () => {
  const { texts, reasons } = textsOf('onnx');
  const none = ['f8e4m3', 'f8e5m2', 'i4', 'u1', 'u4'].map((dtype) => `ONNX's operators do not take ${dtype}.`);
  const bases = ['i16', 'i8', 'u16', 'u32', 'u64', 'u8'].map((dtype) => `ONNX's Pow takes no base of type ${dtype}.`);
  const shift = 'ONNX leaves open what a shift by the width or more gives.';
  const lacked = lackedBy('onnx', noOperator('ONNX'));
  assert.deepEqual(reasons, [beyond('ONNX'), shift, ...bases, ...none, ...lacked].sort());
  await allRight(texts);
});

// The text's model in ONNX Runtime, which does not support every operator with every type.
test('ONNX, by ONNX Runtime', async () => {
  const { texts } = textsOf('onnx');
  const usual = ['f32', 'f64', 'i32', 'i64', 'bool'];
  const lacking = ({ op, operands }) =>
    (op.name === 'PRelu' && operands[0].dtype !== 'f32') ||
    (op.name === 'Where' && operands[1].dtype === 'bool') ||
    (op.name === 'Pow' && operands[0].dtype.startsWith('i'));
  const taken = texts.filter(
    ({ question }) => typesIn(question).every((dtype) => usual.includes(dtype)) && !lacking(question),
  );
  const runtime = (text) => {
    const lines = text.replace('from onnx.reference import ReferenceEvaluator', 'import onnxruntime');
    return lines.replace('ReferenceEvaluator(model)', 'onnxruntime.InferenceSession(model.SerializeToString())');
  };
  assert.ok(taken.length > 400, `${taken.length}`);
  await allRight(taken, { work: taken.map(({ text }) => ({ text: runtime(text) })) });
});

// Known differences of OpenVINO's CPU plugin: narrow integers saturate, wide types are computed in 32 bits, and floats
// are divided within one unit of the last place. Shapes and types must still be right.
function openvinoUnits(question) {
  const dtype = leading(question);
  if (['i64', 'u64', 'f64'].includes(dtype)) return null;
  if (computes(question) && (dtype === 'i8' || dtype === 'u8')) return null;
  return ['Div', 'Mean'].includes(question.op.name) ? 1 : 0;
}

test('OpenVINO', async () => {
  const { texts, reasons } = textsOf('openvino');
  const strange = ['bf16', 'c128', 'c64', 'f8e4m3', 'f8e5m2', 'i4', 'u1', 'u4'];
  assert.deepEqual(
    reasons,
    [
      'OpenVINO crashes where target_shape has no entries; a scalar is itself already.',
      'OpenVINO crashes where target_shape has no entries; the data is the result.',
      'OpenVINO crashes where the data of a Broadcast has no elements.',
      'OpenVINO leaves 1 as it is where a bidirectional target has a 0.',
      'OpenVINO leaves open what a shift by the width or more gives.',
      beyond('OpenVINO'),
      'OpenVINO leaves open what integers beyond an integer type become.',
      ...strange.map((dtype) => `OpenVINO's Python takes no arrays of ${dtype} from NumPy.`),
      "OpenVINO's Python gives NumPy no arrays of bf16.",
      "OpenVINO's Power takes a base and an exponent of one type.",
      ...lackedBy('openvino', noOperator('OpenVINO')),
    ].sort(),
  );
  await allRight(texts, { loose: openvinoUnits });
});

test("layers of OpenVINO's IR, inserted into a model", async () => {
  const { texts, reasons } = textsOf('openvino-ir');
  for (const reason of lackedBy('layer', (name) => `OpenVINO has no layer for ${name} under this rule.`))
    assert.ok(reasons.includes(reason), reason);
  // Types that NumPy arrays can pass to a model.
  const held = /^(bool|[iu](8|16|32|64)|f(16|32|64))$/;
  const taken = texts.filter(({ question }) => typesIn(question).every((dtype) => held.test(dtype)));
  assert.ok(taken.length > 400, `${taken.length}`);
  const base64 = ({ data }) => Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('base64');
  const work = taken.map(({ question: { operands, options }, text }) => ({
    layer: text,
    operands: operands.map((operand) => ({ dtype: operand.dtype, b64: base64(arrayOf(operand)) })),
    constants: [options.targetShape, options.axesMapping].filter((values) => values !== undefined),
  }));
  await allRight(taken, { work, loose: openvinoUnits });
});

// XLA divides floats within one unit of the last place. It compiles each step of a text, so counting values are tested
// with one type of each kind; listed values cover the others.
test('JAX', async () => {
  const { texts, reasons } = textsOf('jax');
  const lacked = lackedBy('numpy', noOperator('JAX'));
  assert.deepEqual(reasons, ['JAX has no element type u1.', beyond('JAX'), ...lacked].sort());
  const again = ({ operands }) =>
    operands.every(({ dtype, values }) => 'first' in values && /^(i32|bool)$/.test(dtype));
  const taken = texts.filter(({ question }) => !again(question));
  assert.ok(taken.length > 600, `${taken.length}`);
  assertAllNamesRun(taken, 'jnp', 'numpy');
  await allRight(taken, { loose: ({ op }) => (['Div', 'Mean'].includes(op.name) ? 1 : 0) });
});

// Not the libraries themselves but shim.py: names, arguments and the placement of axes.
for (const [id, library, reasons] of [
  [
    'pytorch',
    'torch',
    [
      ...['f8e4m3', 'f8e5m2', 'u16', 'u32', 'u64'].map(
        (dtype) => `PyTorch holds ${dtype}, but has hardly an operator for it.`,
      ),
      ...['i4', 'u1', 'u4'].map((dtype) => `PyTorch has no element type ${dtype}.`),
      beyond('PyTorch'),
      ...lackedBy('pytorch', noOperator('PyTorch')),
    ],
  ],
  [
    'tensorflow',
    'tf',
    [
      ...['f8e4m3', 'f8e5m2', 'i4', 'u1', 'u4'].map((dtype) => `TensorFlow has no element type ${dtype}.`),
      'TensorFlow leaves open what a shift by the width or more gives.',
      beyond('TensorFlow'),
      ...lackedBy('tensorflow', noOperator('TensorFlow')),
    ],
  ],
]) {
  test(`${id}, on a stand-in made of NumPy`, async () => {
    const { texts, reasons: given } = textsOf(id);
    assert.deepEqual(given, reasons.sort());
    assertAllNamesRun(texts, library, id);
    await allRight(texts, { work: texts.map(({ text }) => ({ text, shim: true })) });
  });
}
