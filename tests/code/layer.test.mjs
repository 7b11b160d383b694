// Pasted layers of OpenVINO's IR: what `readLayer` reads of them, and the messages if something is missing.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from 'broadloom';
import { ModelError, readLayer } from 'broadloom/models';
import { cases } from './cases.mjs';
import { writers } from './systems.mjs';

const bl = await load();
const read = (...texts) => texts.map((text) => ({ layer: readLayer(text) }));

const dims = (shape) => shape.map((extent) => `<dim>${extent}</dim>`).join('\n');
const ports = (shapes, first = 0) =>
  shapes.map((shape, i) => `<port id="${i + first}">${dims(shape)}</port>`).join('\n');
const layer = (type, data, inputs, output) =>
  `<layer id="7" type="${type}">${data}<input>${ports(inputs)}</input><output>${ports([output], inputs.length)}</output></layer>`;

test("the four examples of Broadcast-3's document", () => {
  const document = (mode, inputs, output) => `<layer ... type="Broadcast" ...>
    <data mode="${mode}"/>
    <input>${inputs}</input>
    <output><port id="3">${dims(output)}</port></output>
  </layer>`;
  const constant = (values) =>
    `<port id="1"><dim>${values.length}</dim>   <!--The tensor contains ${values.length} elements: [${values.join(', ')}] --></port>`;
  const got = read(
    document(
      'numpy',
      `${ports([[16, 1, 1]])}${constant([1, 16, 50, 50])}<!-- the 3rd input shouldn't be provided with mode="numpy" -->`,
      [1, 16, 50, 50],
    ),
    document('explicit', `${ports([[16]])}${constant([1, 16, 50, 50])}${constant([1])}`, [1, 16, 50, 50]),
    document('explicit', `${ports([[50, 50]])}${constant([1, 50, 50, 16])}${constant([1, 2])}`, [1, 50, 50, 16]),
    document('bidirectional', `${ports([[16, 1, 1]])}${constant([1, 1, 50, 50])}`, [1, 16, 50, 50]),
  );
  assert.deepEqual(
    got.map(({ layer: { rule, shapes, targetShape, axesMapping, notes } }) => [
      rule,
      shapes,
      targetShape,
      axesMapping,
      notes,
    ]),
    [
      ['broadcast_numpy', [[16, 1, 1]], [1, 16, 50, 50], null, []],
      ['explicit', [[16]], [1, 16, 50, 50], [1], []],
      ['explicit', [[50, 50]], [1, 50, 50, 16], [1, 2], []],
      ['bidirectional', [[16, 1, 1]], [1, 1, 50, 50], null, []],
    ],
  );
});

test('constants missing in the XML are inferred from the output, or asked for', () => {
  const [numpy, explicit] = read(
    layer('Broadcast', '', [[3, 1], [3]], [2, 3, 4]),
    layer('Broadcast', '<data mode="explicit"/>', [[3], [3], [1]], [2, 3, 4]),
  );
  assert.deepEqual([numpy.layer.rule, numpy.layer.targetShape], ['broadcast_numpy', [2, 3, 4]]);
  assert.deepEqual([explicit.layer.targetShape, explicit.layer.axesMapping], [[2, 3, 4], null]);
  assert.match(explicit.layer.notes.join(), /axes_mapping is a constant.*give it in its field/);
});

test('elementwise layers', () => {
  const inputs = [[2, 3, 4], [4]];
  const [plain, none, pdpd, shift, select] = read(
    layer('Add', '', inputs, [2, 3, 4]),
    layer('LogicalAnd', '<data auto_broadcast="none"/>', [[2], [2]], [2]),
    layer('Multiply', '<data auto_broadcast="pdpd"/>', inputs, [2, 3, 4]),
    layer('BitwiseRightShift', '<data auto_broadcast="numpy"/>', inputs, [2, 3, 4]),
    layer('Select', '', [[], [2], [2]], [2]),
  );
  const told = ({ layer: { rule, op, axis, attrs, shapes } }) => [rule, op, axis, attrs.direction ?? '', shapes];
  assert.deepEqual(told(plain), ['numpy', 'Add', null, '', inputs]);
  assert.deepEqual(told(none), ['none', 'And', null, '', [[2], [2]]]);
  assert.deepEqual(told(pdpd), ['pdpd', 'Mul', 0, '', inputs]);
  assert.match(pdpd.layer.notes.join(), /no attribute auto_broadcast.auto_broadcast_axis: OpenVINO then takes axis 0/);
  // As OpenVINO 2026.4.1 writes it.
  for (const axis of [1, -1]) {
    const data = `<data auto_broadcast="pdpd" auto_broadcast.auto_broadcast_axis="${axis}"/>`;
    const [{ layer: axed }] = read(layer('Multiply', data, [[2, 3, 4], [3]], [2, 3, 4]));
    assert.deepEqual([axed.rule, axed.axis, axed.notes], ['pdpd', axis, []]);
  }
  assert.deepEqual(told(shift), ['numpy', 'BitShift', null, 'right', inputs]);
  assert.deepEqual(told(select), ['numpy', 'Where', null, '', [[], [2], [2]]]);
});

test('in a whole model, the first layer that broadcasts is read', () => {
  const net = `<?xml version="1.0"?>\n<net name="m" version="11"><layers><layer id="0" type="Parameter"/>${layer('Add', '', [[2], [1]], [2])}${layer('Less', '', [[3], [1]], [3])}</layers></net>`;
  const [{ layer: found }] = read(net);
  assert.deepEqual([found.op, found.shapes, found.notes.length], ['Add', [[2], [1]], 1]);
});

test('missing information is reported in a sentence', () => {
  const whole = layer('Broadcast', '<data mode="numpy"/>', [[3], [2]], [2, 3]);
  const faults = [
    ['', /isn't XML/],
    ['(2, 3)', /isn't XML/],
    ['<layer type="Add"', /not whole/],
    [whole.replace('</layer>', ''), /not whole/],
    ['<net><layers/></net>', /no <layer>/],
    ['<layer/>', /has no type/],
    ['<layer type="Convolution"/>', /Convolution does not broadcast/],
    ['<layer type="constructor"/>', /constructor does not broadcast/],
    ['<layer type="Broadcast"/>', /no <input>/],
    [whole.replace(/<output>.*<\/output>/s, ''), /no <output>/],
    [whole.replace('numpy', 'sideways'), /mode="sideways" is not known: it is one of numpy, bidirectional, explicit/],
    [whole.replace('numpy', 'toString'), /is not known/],
    [whole.replace('<dim>3</dim>', '<dim>-1</dim>'), /not known: put a number/],
    [whole.replace('<dim>3</dim>', '<dim>three</dim>'), /"three", which is no extent/],
    [whole.replace('<dim>3</dim>', '<dim/>'), /"", which is no extent/],
    [layer('Add', '', [[2]], [2]), /Add takes 2 inputs; this layer has 1/],
    [
      layer('Add', '<data auto_broadcast="up"/>', [[2], [2]], [2]),
      /auto_broadcast="up" is not known: it is one of none, explicit, numpy, pdpd/,
    ],
    ['<!DOCTYPE x [<!ENTITY e "e">]><layer type="&e;"/>', /not whole/],
  ];
  for (const [text, sentence] of faults) {
    assert.throws(
      () => readLayer(text),
      (error) => {
        assert.ok(error instanceof ModelError, text);
        assert.match(error.message, sentence);
        assert.match(error.message, /^[A-Z].*\.$/s);
        return true;
      },
    );
  }
});

test('layers written for OpenVINO IR are read back unchanged', () => {
  const writer = writers.find(({ id }) => id === 'openvino-ir');
  const texts = cases.flatMap((question) => {
    const { text } = writer.write(question);
    return text === undefined || question.op.name === 'Sum' ? [] : [{ question, text }];
  });
  const got = read(...texts.map(({ text }) => text));
  assert.ok(texts.length > 400);
  let axes = 0;
  for (const [i, { question, text }] of texts.entries()) {
    const { rule, op, operands, options, attributes } = question;
    const { layer: back } = got[i];
    assert.equal(back.op, op.name, text);
    assert.equal(back.dtype, operands[op.name === 'Where' ? 1 : 0].dtype, text);
    assert.equal(back.attrs.direction ?? '', attributes.direction);
    assert.equal(back.attrs.to ?? '', attributes.to);
    assert.equal(back.attrs.fmod, attributes.fmod === '1' ? 1 : undefined);
    if (options.targetShape) {
      assert.deepEqual(
        [back.rule, back.targetShape, back.axesMapping],
        [rule, options.targetShape, options.axesMapping ?? null],
        text,
      );
    }
    if (/auto_broadcast_axis/.test(text)) {
      ++axes;
      assert.deepEqual(
        [back.rule, back.axis],
        [
          'pdpd',
          bl.align(
            rule,
            operands.map(({ shape }) => shape),
            options,
          ).startAxis,
        ],
        text,
      );
    }
    if (!/Reshape/.test(text))
      assert.deepEqual(
        back.shapes,
        operands.map(({ shape }) => shape),
        text,
      );
  }
  assert.ok(axes > 20, `${axes}`);
});
