// What an audit says of the models of scripts/generate-models.py. Expected shapes are written down here.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { auditModel, ModelError } from 'broadloom/models';
import { bl, body, bytesOf, domain, folder, functionOf, initializer, model, node, part } from './models.mjs';

const audit = (name, options) => auditModel(bl, bytesOf(name), options);
const only = (name) => {
  const { nodes } = audit(name);
  assert.equal(nodes.length, 1);
  return nodes[0];
};
const shapesOf = ({ operands }) => operands.map(({ shape }) => shape);

test('a node has its operands, rule, result and verdict', () => {
  assert.deepEqual(only('fits.onnx'), {
    name: 'Add_1',
    path: [],
    op: 'Add',
    rule: 'onnx_multidirectional',
    operands: [
      { name: 'a', shape: [2, 1, 4] },
      { name: 'b', shape: [3, 1] },
    ],
    axis: null,
    targetShape: null,
    axesMapping: null,
    fits: true,
    shape: [2, 3, 4],
    verdict: bl.align('onnx_multidirectional', [
      [2, 1, 4],
      [3, 1],
    ]).verdict,
    error: null,
    conditions: null,
    warnings: [
      {
        kind: 'both_grow',
        message: 'Operands stretch to each other: the result (2, 3, 4) is larger than each of them.',
      },
    ],
    differs: [],
  });
});

/** The nodes of a graph with initializers a (2, 3) and b (3,): operator, and the shapes of its operands. */
const listed = (...nodes) =>
  auditModel(bl, model(Buffer.concat([...nodes, initializer('a', [2, 3]), initializer('b', [3])]))).nodes.map(
    (each) => [each.op, ...shapesOf(each)],
  );

test('a node of one operand has its shape', () => {
  for (const op of ['Sum', 'Max', 'Min', 'Mean']) {
    assert.deepEqual(listed(node(op, ['a'], ['x'])), [[op, [2, 3]]]);
    const next = listed(node(op, ['a'], ['x']), node('Add', ['x', 'b'], ['y']));
    assert.deepEqual(next.at(-1), ['Add', [2, 3], [3]], op);
  }
});

test('a layer that lacks an input is left out', () => {
  const port = (id) => `<port id="${id}"><dim>2</dim><dim>3</dim></port>`;
  const layer = (type, mode, ports) =>
    `<net><layers><layer id="0" name="l" type="${type}"><data auto_broadcast="${mode}"/><input>${ports.map(port).join('')}</input>
      <output>${port(9)}</output></layer></layers></net>`;
  for (const type of ['Add', 'Maximum', 'Select', 'PReLU', 'Own']) {
    for (const mode of ['numpy', 'pdpd', 'none']) {
      for (const ports of [[], [0]]) {
        const { nodes } = auditModel(bl, Buffer.from(layer(type, mode, ports)));
        assert.deepEqual(nodes, [], `${type} ${mode} ${ports.length}`);
      }
      assert.equal(auditModel(bl, Buffer.from(layer(type, mode, [0, 1]))).nodes.length, 1, `${type} ${mode}`);
    }
  }
});

test('a node that lacks an input which its operator needs is left out', () => {
  const ops = ['Add', 'Pow', 'Where', 'Expand', 'PRelu', 'Gemm', 'StringConcat', 'Sum', 'LayerNormalization', 'Range'];
  for (const op of ops) {
    for (const inputs of [[], [''], ['', 'a'], ['', ''], ['', 'a', 'b'], ['', '', '']]) {
      assert.deepEqual(listed(node(op, inputs, ['x'])), [], `${op} ${JSON.stringify(inputs)}`);
    }
  }
  for (const op of ['Add', 'Expand', 'PRelu', 'Gemm', 'Sum'])
    assert.deepEqual(listed(node(op, ['a', ''], ['x'])), [], op);
  for (const op of ['Where', 'Sum', 'Gemm']) assert.deepEqual(listed(node(op, ['a', '', 'b'], ['x'])), [], op);
  // Optional inputs: scale and bias of LayerNormalization, C of Gemm.
  assert.deepEqual(listed(node('LayerNormalization', ['a', '', 'b'], ['x'])), [['LayerNormalization', [2, 3], [3]]]);
  assert.deepEqual(listed(node('Gemm', ['a', 'a', ''], ['x'])), []);
});

test('shapes that clash have the error of the core', () => {
  const clash = only('clash.onnx');
  const { error, verdict } = bl.align('onnx_multidirectional', [[2, 3], [2]]);
  assert.deepEqual([clash.fits, clash.shape, clash.verdict], [false, null, verdict]);
  assert.deepEqual({ ...clash.error }, { ...error });
  assert.deepEqual(shapesOf(only('clash-of-no-keepdims.onnx')), [[32, 10], [32]]);
  assert.equal(only('clash-of-no-keepdims.onnx').fits, false);
  assert.equal(only('clash-of-known.onnx').fits, false);
  assert.equal(only('clash-of-known.onnx').error.extent, 4);
  assert.deepEqual(only('empty.onnx').shape, [0, 3]);
});

test('unknown extents are shown as unknown, and answered where that is possible', () => {
  const verdicts = Object.fromEntries(
    ['unknown', 'unknown-or-one', 'unknown-rank'].map((name) => {
      const { fits, shape, verdict } = only(`${name}.onnx`);
      return [name, [fits, shape, verdict]];
    }),
  );
  assert.deepEqual(verdicts, {
    unknown: [null, ['?', 3], 'Whether this fits depends on N, M.'],
    'unknown-or-one': [null, [4, 3], 'This fits only where N is 1 or 4.'],
    'unknown-rank': [null, null, 'Not even the number of axes is known of a.'],
  });
});

test('whoever knows more of unknown extents is asked', () => {
  const asked = [];
  const ask = (question) => {
    asked.push(question);
    return { fits: true, shape: ['N', 3], verdict: 'N is M.' };
  };
  const [found] = audit('unknown.onnx', { ask }).nodes;
  assert.deepEqual(asked, [
    {
      rule: 'onnx_multidirectional',
      shapes: [
        ['N', 3],
        ['M', 3],
      ],
    },
  ]);
  assert.deepEqual([found.fits, found.shape, found.verdict], [true, ['N', 3], 'N is M.']);
});

test('warnings, differences and links of the caller are added', () => {
  const options = {
    warnings: ({ name }) => [{ kind: 'own', message: name }],
    differs: ({ rule }) => [{ system: 'own', message: rule }],
    link: ({ op }) => `#${op}`,
  };
  const [found] = audit('clash.onnx', options).nodes;
  assert.deepEqual(found.warnings, [{ kind: 'own', message: 'Add_1' }]);
  assert.deepEqual(found.differs, [{ system: 'own', systems: ['own'], message: 'onnx_multidirectional' }]);
  assert.equal(found.link, '#Add');
});

test('operators before version 7 broadcast by their attributes', () => {
  const found = ['opset6', 'opset6-suffix', 'opset6-clash', 'opset6-none', 'opset6-none-clash'].map((name) => {
    const { rule, axis, fits, shape } = only(`${name}.onnx`);
    return [rule, axis, fits, shape];
  });
  assert.deepEqual(found, [
    ['pdpd', 1, true, [2, 3, 4, 5]],
    ['pdpd', -1, true, [2, 3, 4, 5]],
    ['pdpd', -1, false, null],
    ['none', null, true, [2, 3]],
    ['none', null, false, null],
  ]);
});

test('Expand takes its target, and Gemm its C', () => {
  const expand = only('expand.onnx');
  assert.deepEqual([expand.rule, expand.targetShape, expand.shape], ['bidirectional', [2, 1, 6], [2, 3, 6]]);
  assert.equal(only('expand-clash.onnx').fits, false);
  const gemm = only('gemm.onnx');
  assert.deepEqual([gemm.rule, shapesOf(gemm), gemm.shape], ['onnx_unidirectional', [[2, 3], [3]], [2, 3]]);
  assert.equal(only('gemm-clash.onnx').fits, false);
});

test('a PRelu whose slope is larger clashes, and ONNX Runtime differs', () => {
  const prelu = only('clash-of-prelu.onnx');
  assert.equal(prelu.fits, false);
  assert.deepEqual(
    prelu.differs.map(({ system }) => system),
    ['onnxruntime'],
  );
});

test('a result that is not what the file says has a warning', () => {
  const { shape, warnings } = only('outer-product.onnx');
  assert.deepEqual(shape, [32, 32]);
  assert.deepEqual(
    warnings.map(({ kind }) => kind),
    ['both_grow', 'declared'],
  );
});

test('nodes in graphs within nodes, and in functions, have their path', () => {
  const listed = (name) => audit(name).nodes.map(({ path, name: own, shape }) => [[...path, own].join('/'), shape]);
  assert.deepEqual(listed('subgraphs.onnx'), [
    ['If_1.else_branch/else_product', [2, 3]],
    ['If_1.then_branch/then_sum', [2, 3]],
    ['Loop_3.body/grow', [2, 3]],
    ['Loop_3.body/scale', [2, 3]],
    ['Scan_5.body/rest_of', [3]],
    ['Max_6', null],
  ]);
  assert.deepEqual(listed('functions.onnx'), [
    ['Block_2/norm/centre', ['N', 4, 8]],
    ['Block_2/norm/scaled', ['N', 4, 8]],
    ['Block_2/residual', ['N', 4, 8]],
    ['Add_4', [2, 'N', 4, 8]],
  ]);
});

test('real architectures: every node fits, as far as the file says what it needs', () => {
  const counts = Object.fromEntries(
    ['resnet', 'resnet-stripped', 'bert', 'llama', 'squeeze'].map((name) => {
      const { nodes } = audit(`${name}.onnx`);
      return [name, [true, false, null].map((wanted) => nodes.filter(({ fits }) => fits === wanted).length)];
    }),
  );
  // Of bert, the positions are a Slice up to an extent that is not known, so that adding them may fail.
  assert.deepEqual(counts, {
    resnet: [17, 0, 0],
    'resnet-stripped': [17, 0, 0],
    bert: [58, 0, 4],
    llama: [44, 0, 0],
    squeeze: [12, 0, 0],
  });
  const expands = audit('llama.onnx').nodes.filter(({ op }) => op === 'Expand');
  assert.deepEqual(expands[0].targetShape, ['batch', 2, 4, 'seq', 64]);
});

test('layers of an IR: the rule is that of auto_broadcast or mode', () => {
  const weights = readFileSync(`${folder}layers.bin`);
  const { format, nodes } = audit('layers.xml', { weights });
  assert.equal(format, 'openvino');
  const found = nodes.map(({ path, name, op, rule, fits }) =>
    [...path.slice(-1), name.replace(/_\d+$/, ''), op, rule, fits].join(' '),
  );
  assert.deepEqual(found.map((line) => line.replace(/If_\d+\./, '')).sort(), [
    'Equal Equal numpy true',
    'Greater Greater numpy true',
    'chosen Select numpy true',
    'dynamic Add numpy true',
    'else_body else_product Multiply numpy true',
    'none Multiply none true',
    'numpy Add numpy true',
    'pdpd Subtract pdpd true',
    'slope PReLU pdpd true',
    'then_body then_sum Add numpy true',
    'to_bidirectional Broadcast bidirectional true',
    'to_explicit Broadcast explicit true',
    'to_numpy Broadcast broadcast_numpy true',
  ]);
});

test('layers of an IR without a mode broadcast by numpy, and unknown modes are refused', () => {
  const port = (id, dims) => `<port id="${id}">${dims.map((dim) => `<dim>${dim}</dim>`).join('')}</port>`;
  const xml = (data, type = 'Add') =>
    Buffer.from(
      `<net><layers><layer id="0" name="a" type="${type}">${data}<input>${port(0, [32, 10])}${port(1, [32])}</input>` +
        `<output>${port(2, [32, 10])}</output></layer></layers></net>`,
    );
  for (const data of ['', '<data/>', '<data auto_broadcast="NUMPY"/>']) {
    assert.deepEqual(
      auditModel(bl, xml(data)).nodes.map(({ rule, fits }) => [rule, fits]),
      [['numpy', false]],
      data,
    );
  }
  assert.deepEqual(auditModel(bl, xml('', 'Convert')).nodes, []);
  for (const [data, type, message] of [
    [
      '<data auto_broadcast="left"/>',
      'Add',
      'has auto_broadcast "left", which is none of none, explicit, numpy, pdpd.',
    ],
    ['<data mode="left"/>', 'Broadcast', 'has mode "left", which is none of numpy, bidirectional, explicit.'],
  ]) {
    assert.throws(() => auditModel(bl, xml(data, type)), { code: 'format', message: `The layer "a" ${message}` });
  }
});

test("OpenVINO's own shapes are those of the core", () => {
  const weights = readFileSync(`${folder}layers.bin`);
  const xml = bytesOf('layers.xml').toString();
  const own = (text) =>
    new Map(
      auditModel(bl, Buffer.from(text), { weights }).nodes.map(({ name, shape, warnings }) => [
        name,
        { shape, warnings },
      ]),
    );
  const withDims = own(xml);
  // Without the shapes of results, they come from the core alone.
  const layers =
    /(<layer [^>]*type="(?:Add|Multiply|Subtract|Select|Broadcast|PReLU|Greater|Equal)"[^]*?<output>)([^]*?)(<\/output>)/g;
  const without = own(
    xml.replace(layers, (_, head, ports, tail) => head + ports.replace(/<dim>[^<]*<\/dim>/g, '') + tail),
  );
  assert.equal(withDims.size, 13);
  for (const [name, { shape, warnings }] of withDims) {
    assert.ok(
      warnings.every(({ kind }) => kind !== 'declared'),
      name,
    );
    // Equal unknown extents are not told apart by their names here.
    if (name !== 'dynamic') assert.deepEqual(without.get(name).shape, shape, name);
  }
});

test('without the elements of constants, targets are read from results, and mappings are unknown', () => {
  const found = Object.fromEntries(audit('layers.xml').nodes.map(({ name, fits, shape }) => [name, [fits, shape]]));
  assert.deepEqual(found['to_numpy'], [true, [2, 3]]);
  assert.deepEqual(found['to_explicit'], [null, [3, 4]]);
  assert.deepEqual(found['to_bidirectional'], [null, [2, 3, 4]]);
});

test('a source is read in pieces, and elements of weights are not read', () => {
  const reads = [];
  const bytes = model(
    Buffer.concat([initializer('w', [1000, 1000], [part(9, Buffer.alloc(4_000_000))]), node('Add', ['w', 'w'], ['x'])]),
  );
  const source = {
    size: bytes.length,
    read(begin, length) {
      reads.push(length);
      return bytes.subarray(begin, begin + length);
    },
  };
  assert.deepEqual(auditModel(bl, source).nodes[0].shape, [1000, 1000]);
  assert.ok(reads.reduce((a, b) => a + b) < 200_000, `${reads} bytes are read`);
});

test('equal calls of a function are listed once, and uncalled functions with unknown shapes', () => {
  const square = functionOf('square', 'own', ['x'], ['y'], [node('Mul', ['x', 'x'], ['y'], [], 7)]);
  const call = (input, output) => node('square', [input], [output], [domain('own')]);
  const graph = Buffer.concat([initializer('w', [2, 3]), call('w', 'a'), call('a', 'b'), call('b', 'c')]);
  assert.deepEqual(
    auditModel(bl, model(graph, square)).nodes.map(({ shape }) => shape),
    [[2, 3]],
  );
  const { nodes } = auditModel(bl, model(node('Relu', ['a'], ['b']), square));
  assert.deepEqual(
    nodes.map(({ path, shape }) => [path, shape]),
    [[['square'], null]],
  );
});

test('a subgraph sees the values around it, and its own first', () => {
  const inner = Buffer.concat([initializer('v', [4]), node('Add', ['v', 'w'], ['y'])]);
  const graph = Buffer.concat([
    initializer('v', [9]),
    initializer('w', [3, 1]),
    node('If', ['flag'], ['r'], [body('then_branch', inner)]),
  ]);
  assert.deepEqual(auditModel(bl, model(graph)).nodes[0].shape, [3, 4]);
});

test('nodes that are not in order are followed in the order of their values', () => {
  const graph = Buffer.concat([
    node('Add', ['m', 'w'], ['y']),
    node('Mul', ['w', 'w'], ['m']),
    initializer('w', [3, 2]),
  ]);
  assert.deepEqual(
    auditModel(bl, model(graph)).nodes.map(({ op, shape }) => [op, shape]),
    [
      ['Mul', [3, 2]],
      ['Add', [3, 2]],
    ],
  );
});

test('what is no source of bytes is refused', () => {
  for (const value of [null, 'model.onnx', 3, {}, { size: -1, read() {} }]) {
    assert.throws(
      () => auditModel(bl, value),
      (error) => error instanceof ModelError && error.code === 'input',
    );
  }
});
