// What the tests of the audit share.

import { closeSync, ftruncateSync, openSync, readdirSync, readFileSync, writeSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { load } from 'broadloom';

export const bl = await load({ explanations: true });
export const folder = fileURLToPath(new URL('data/', import.meta.url));
export const names = readdirSync(folder).filter((name) => /\.(?:onnx|xml)$/.test(name));
export const bytesOf = (name) => readFileSync(folder + name);

// --- ONNX's wire format, for files that no library would write -------------------------------------------------------

export function varint(value) {
  const bytes = [];
  for (let rest = BigInt(value); ; rest >>= 7n) {
    bytes.push(Number(rest & 127n) | (rest > 127n ? 128 : 0));
    if (rest <= 127n) return Buffer.from(bytes);
  }
}
export const part = (field, bytes) => {
  const content = Buffer.from(bytes);
  return Buffer.concat([varint((field << 3) | 2), varint(content.length), content]);
};
export const number = (field, value) => Buffer.concat([varint(field << 3), varint(value)]);
/** A node; `field` is 1 in graphs and 7 in functions. */
export function node(op, inputs, outputs, more = [], field = 1) {
  const names = [...inputs.map((name) => part(1, name)), ...outputs.map((name) => part(2, name))];
  return part(field, Buffer.concat([...names, part(4, op), ...more]));
}
export const domain = (name) => part(7, name);
/** An attribute that holds a graph. */
export const body = (name, graph) => part(5, Buffer.concat([part(1, name), part(6, graph)]));
export const initializer = (name, dims, more = []) =>
  part(5, Buffer.concat([...dims.map((dim) => number(1, dim)), number(2, 1), part(8, name), ...more]));
export const functionOf = (name, space, inputs, outputs, nodes) =>
  part(
    25,
    Buffer.concat([
      part(1, name),
      part(10, space),
      ...inputs.map((x) => part(4, x)),
      ...outputs.map((x) => part(5, x)),
      ...nodes,
    ]),
  );
export const model = (graph, ...more) => Buffer.concat([number(1, 8), part(7, graph), part(8, number(2, 18)), ...more]);

/** Writes a model that adds a tensor of f32 to itself. The tensor's elements are a hole in the file, which takes no room. */
export function writeHollow(file, elements) {
  const size = elements * 4;
  const tensor = Buffer.concat([number(1, elements), number(2, 1), part(8, 'w'), varint((9 << 3) | 2), varint(size)]);
  const graph = Buffer.concat([
    node('Add', ['w', 'w'], ['x']),
    varint((5 << 3) | 2),
    varint(tensor.length + size),
    tensor,
  ]);
  const head = Buffer.concat([number(1, 8), varint((7 << 3) | 2), varint(graph.length + size), graph]);
  const tail = part(8, number(2, 18));
  const descriptor = openSync(file, 'w');
  writeSync(descriptor, head);
  ftruncateSync(descriptor, head.length + size);
  writeSync(descriptor, tail, 0, tail.length, head.length + size);
  closeSync(descriptor);
}
