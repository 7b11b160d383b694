// Errors of auditing model files; as in refusals.mjs.

import { load } from 'broadloom';
import { auditModel, readLayer, withExplanations } from 'broadloom/models';
import { body, domain, functionOf, initializer, model, node, number, part, varint } from '../models/models.mjs';

const bl = await load();
const audit = (bytes) => auditModel(bl, bytes);
const xml = (text) => audit(Buffer.from(text));
const raw = (...bytes) => audit(Buffer.from(bytes));
const call = (name, output, field) => node(name, ['x'], [output], [domain('own')], field);
const ports = '<input><port id="0"/></input><output><port id="1"/></output>';
const edge = (from, to) => `<edge from-layer="${from}" from-port="1" to-layer="${to}" to-port="0"/>`;
const deep = (levels, graph) =>
  levels === 0 ? graph : deep(levels - 1, node('If', ['c'], ['d'], [body('then_branch', graph)]));
const chain = (count) =>
  Array.from({ length: count }, (_, i) => functionOf(`f${i}`, 'own', ['x'], ['y'], [call(`f${i + 1}`, 'y', 7)]));
/** A value with this type, as a graph's input. */
const input = (dims) => part(11, Buffer.concat([part(1, 'x'), part(2, part(1, part(2, Buffer.concat(dims))))]));
/** A sum of two inputs of unknown extents. */
const unknownSum = model(
  Buffer.concat([
    node('Add', ['x', 'y'], ['z']),
    ...['x', 'y'].map((name) =>
      part(11, Buffer.concat([part(1, name), part(2, part(1, part(2, part(1, part(2, name)))))])),
    ),
  ]),
);
/** Bytes whose memory was transferred. */
function transferred() {
  const bytes = new Uint8Array(8);
  structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
  return bytes;
}
/** Options that throw when they are read. */
const hostile = {
  get link() {
    throw new Error('not today');
  },
};
const shrinking = { size: 100, read: () => new Uint8Array(1) };
/** Each calls the next one forty times, with other attributes each time. */
const many = Array.from({ length: 5 }, (_, i) =>
  functionOf(
    `f${i}`,
    'own',
    ['x'],
    ['y'],
    i === 4
      ? [node('Relu', ['x'], ['y'], [], 7)]
      : Array.from({ length: 40 }, (__, j) => {
          const attribute = part(
            5,
            Buffer.concat([part(1, 'graph'), number(3, j), part(6, node('Relu', ['x'], ['y']))]),
          );
          return node(`f${i + 1}`, ['x'], [`y${j}`], [domain('own'), attribute], 7);
        }),
  ),
);

/** A layer of the IR: its attributes, with ports of one axis. */
const layer = (attributes, inputs, { data = '', dim = 3, outDim = 3, output = true } = {}) => {
  const port = (id, extent) => `<port id="${id}"><dim>${extent}</dim></port>`;
  const into = Array.from({ length: inputs }, (_, id) => port(id, dim)).join('');
  return `<layer ${attributes}>${data}<input>${into}</input>${output ? `<output>${port(9, outDim)}</output>` : ''}</layer>`;
};

/** By subject: [call, class or class.detail, message]. */
export const REFUSALS = {
  'Auditing models': [
    [
      () => audit('model.onnx'),
      'input',
      'A model is given as an ArrayBuffer, a typed array, or an object with size and read.',
    ],
    ...[
      [null, 'null'],
      [{}, 'an object'],
      [5, '5'],
      [Promise.resolve(bl), 'an object'],
    ].flatMap(([given, shown]) => [
      [() => auditModel(given, raw), 'input', `auditModel takes first what await load() gives, not ${shown}.`],
      [() => withExplanations(given), 'input', `withExplanations takes first what await load() gives, not ${shown}.`],
    ]),
    [() => auditModel(bl, raw, null), 'input', 'auditModel takes its options as an object, not null.'],
    [() => withExplanations(bl, null), 'input', 'withExplanations takes its options as an object, not null.'],
    [() => withExplanations(bl, [5]), 'input', 'withExplanations takes its options as an object, not a list.'],
    [
      () => withExplanations(bl, hostile),
      'input',
      'The options of withExplanations could not be read: give them in an object of their own.',
    ],
    [
      () => auditModel(bl, raw, { foo: 1 }),
      'input',
      'auditModel has no option "foo". There are: ask, warnings, differs, link, weights.',
    ],
    [
      () => withExplanations(bl, { lnik: '/' }),
      'input',
      'withExplanations has no option "lnik". Did you mean "link"? There are: link.',
    ],
    [() => auditModel(bl, raw, { ask: 5 }), 'input', 'ask has to be a function, not 5.'],
    [
      () => auditModel(bl, raw, { link: '/' }),
      'input',
      'link has to be a function, not "/". Give an address to withExplanations, which makes a function of it.',
    ],
    ...[transferred(), transferred().buffer].map((model) => [
      () => auditModel(bl, model),
      'input',
      'The memory of the model was transferred: give bytes that are still in this thread.',
    ]),
    [() => auditModel(bl, { size: 100, read: () => null }), 'input', 'read has to return a Uint8Array, not null.'],
    [
      () => auditModel(bl, { size: 100, read: async () => new Uint8Array(100) }),
      'input',
      'read has to be synchronous: it returned a promise. Read the file before, or give its bytes.',
    ],
    [
      () => auditModel(bl, { size: 100, read: 5 }),
      'input',
      'A model is given as an ArrayBuffer, a typed array, or an object with size and read.',
    ],
    ...[
      ['ask', 'null, or an object with fits, shape and verdict'],
      ['warnings', 'null, or a list of objects with kind and message'],
      ['differs', 'null, or a list of objects with system and message'],
      ['link', 'an address, or null'],
    ].map(([name, due]) => [
      () => auditModel(bl, unknownSum, { [name]: () => 5 }),
      'input',
      `${name} has to return ${due}; it returned 5.`,
    ]),
    [
      () => auditModel(bl, { size: 100, read: () => new Uint8Array(200) }),
      'input',
      'read has to return the 100 bytes that it was asked for; it returned 200.',
    ],
    [() => auditModel(bl, shrinking), 'truncated', 'The file became shorter while it was read.'],
    [() => raw(), 'format', 'The file holds no graph: it is no ONNX model, or truncated.'],
    [() => raw(0), 'format', 'This is no ONNX model.'],
    [() => raw(0x0b), 'format', 'Byte 0 begins no field of an ONNX model.'],
    [() => raw(0x08), 'truncated', 'The file ends within a field: it is truncated or damaged.'],
    [() => raw(0x38, 1), 'format', 'Field 7 is of another kind than ONNX has it.'],
    [() => raw(0x3a, 0x83, 0x80, 0x80, 0x80, 0x80, 0), 'format', 'The length of a field is not a number of 32 bits.'],
    [() => raw(0x08, ...Array(11).fill(0x80), 0), 'format', 'A number has more than 64 bits.'],
    [
      () => raw(0x3a, ...varint(2 ** 31), 1),
      'truncated',
      'Field 7 at byte 0 announces 2147483648 bytes, but 1 are left: the file is truncated or damaged.',
    ],
    [
      () => audit(Buffer.concat([number(1, 8), part(7, [])])),
      'format',
      'The file does not state which version of operators it uses: it may be truncated.',
    ],
    [
      () => audit(model(part(1, part(1, Buffer.alloc(70_000))))),
      'limit',
      'A name has 70000 bytes. At most 65536 are read.',
    ],
    [() => audit(model(deep(33, node('Relu', ['a'], ['b'])))), 'limit', 'Graphs are nested more than 33 levels deep.'],
    [() => audit(model(initializer('w', Array(257).fill(1)))), 'limit', 'A tensor has more than 256 axes.'],
    [() => audit(model(input(Array(257).fill(part(1, number(1, 1)))))), 'limit', 'A value has more than 256 axes.'],
    [() => audit(model(initializer('w', [2n ** 64n - 2n]))), 'format', 'A tensor has the extent -2.'],
    [
      () => audit(model(Buffer.alloc(5_000_000, Buffer.from([0x0a, 0])))),
      'limit',
      'The model has more than 2000000 nodes, names, attributes and extents.',
    ],
    [
      () => audit(model(Buffer.alloc(21_000_000, Buffer.from([0x50, 1])))),
      'limit',
      'The model has more than 10000000 fields.',
    ],
    [
      () => audit(model(node('Add', ['a', 'a'], ['a']))),
      'cycle',
      'The node "Add:a" needs its own result: the graph has a cycle.',
    ],
    [
      () => audit(model(call('f', 'y', 1), functionOf('f', 'own', ['x'], ['y'], [call('f', 'y', 7)]))),
      'cycle',
      'The function "f" calls itself.',
    ],
    [
      () => audit(model(call('f0', 'y', 1), ...chain(40))),
      'limit',
      'Functions call each other more than 33 levels deep.',
    ],
    [
      () => audit(model(call('f0', 'y', 1), ...many)),
      'limit',
      'The model has more than 1000000 nodes, those of functions counted at each call.',
    ],
  ],
  "Auditing OpenVINO's IR": [
    [() => xml('<!DOCTYPE net><net/>'), 'format', 'The XML has a DOCTYPE, which no IR has.'],
    [() => xml('<a/>'), 'format', 'The XML begins with a: it is no network of OpenVINO.'],
    [() => xml('<?xml version="1.0"?>'), 'format', 'The XML is malformed: 1:21: document must contain a root element.'],
    [() => xml('<net></a>'), 'format', 'The XML is malformed: 1:9: unexpected close tag.'],
    [() => xml('<net>'.repeat(101)), 'limit', 'Elements of the XML are nested more than 100 levels deep.'],
    [() => xml(`<net>${'<a/>'.repeat(2_000_000)}</net>`), 'limit', 'The XML has more than 2000000 elements.'],
    [() => xml(` ${'<'.padEnd(2 ** 26)}`), 'limit', 'The XML has 67108865 bytes. At most 67108864 are read.'],
    [
      () => xml('<net><layer id="0"><output><port id="0"><dim>N</dim></port></output></layer></net>'),
      'format',
      'A <dim> is "N", which is no extent.',
    ],
    [
      () => xml(`<net><layer id="0"><output><port id="0">${'<dim>1</dim>'.repeat(257)}</port></output></layer></net>`),
      'limit',
      'A port has more than 256 axes.',
    ],
    [() => xml(`<net><layers/>${edge(0, 1)}</net>`), 'format', 'An edge of the XML leads to no layer.'],
    [
      () => xml(`<net><layer id="0" name="n" type="Add"><data auto_broadcast="left"/>${ports}</layer></net>`),
      'format',
      'The layer "n" has auto_broadcast "left", which is none of none, explicit, numpy, pdpd.',
    ],
    [
      () => xml(`<net><layer id="0" name="n" type="ReLU">${ports}</layer>${edge(0, 0)}</net>`),
      'cycle',
      'The layer "n" needs its own result: the network has a cycle.',
    ],
  ],
  "Reading a layer of OpenVINO's IR": [
    [() => readLayer(5), 'input', 'readLayer takes a text, not 5.'],
    [() => readLayer(Object.create(null)), 'input', 'readLayer takes a text, not an object.'],
    [() => readLayer('<'.padEnd(2 ** 26 + 1)), 'limit', 'The XML has 67108865 characters. At most 67108864 are read.'],
    [
      () => readLayer('<net/>'),
      'format',
      'There is no <layer> in this XML: paste one of a model, from <layer to </layer>.',
    ],
    [
      () => readLayer(layer('', 2)),
      'format',
      'The layer has no type: <layer type="Broadcast" ...> or that of an elementwise operator is understood.',
    ],
    [
      () => readLayer(layer('type="Convolution"', 2)),
      'format',
      'A layer of type Convolution does not broadcast: Broadcast and elementwise operators such as Add do.',
    ],
    [() => readLayer('Add'), 'format', "This isn't XML: paste a layer, from <layer to </layer>."],
    [
      () => readLayer('<layer type="Add">'),
      'format',
      'The XML is not whole: every tag has to be closed, from <layer to </layer>.',
    ],
    [
      () => readLayer(layer('type="Add"', 2, { data: '<data auto_broadcast="left"/>' })),
      'format',
      'The attribute auto_broadcast="left" is not known: it is one of none, explicit, numpy, pdpd.',
    ],
    [() => readLayer(layer('type="Broadcast"', 0)), 'format', 'The layer has no <input> with a <port> for its data.'],
    [
      () => readLayer(layer('type="Broadcast"', 2, { output: false })),
      'format',
      'The layer has no <output> with a <port>: the shape to broadcast to is read off it.',
    ],
    [() => readLayer(layer('type="Add"', 1)), 'format', 'Add takes 2 inputs; this layer has 1 <port> in its <input>.'],
    ...[
      [layer('type="Add"', 2, { dim: -1 }), 'input 0'],
      [layer('type="Broadcast"', 2, { dim: -1 }), 'the data'],
      [layer('type="Broadcast"', 2, { outDim: -1 }), 'the output'],
    ].map(([text, what]) => [
      () => readLayer(text),
      'format',
      `A <dim> of ${what} is -1, an extent that is not known: put a number in its place.`,
    ]),
  ],
};
