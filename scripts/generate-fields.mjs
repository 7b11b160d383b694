// Makes the TypeScript side of errors and requests, wasm/src/types/error-fields.ts and wasm/src/core/fields.ts, from the
// rows of wasm/bindings/fields.h, which the C++ side is compiled from.
//
//   node scripts/generate-fields.mjs [--check] [--rows FILE]
//
// FILE (default: wasm/bindings/fields.h) holds the rows. With --check nothing is written, and a file that differs from
// what would be written is a failure.

import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { renew } from './generated.mjs';
import { inRoot } from './paths.mjs';

const { values: options } = parseArgs({
  options: {
    check: { type: 'boolean', default: false },
    rows: { type: 'string', default: inRoot('wasm/bindings/fields.h') },
  },
});

// Each kind of field: its TypeScript type, the method of core/wire.ts that reads or writes it, and for a name the list of
// names that it is in.
const kinds = {
  ErrorClass: { type: 'PackageErrorCode', method: 'name', list: 'errors' },
  Detail: { type: 'DetailName', method: 'name', list: 'details' },
  Clause: { type: 'ClauseName', method: 'name', list: 'clauses' },
  Op: { type: 'OpName', method: 'name', list: 'ops' },
  Rule: { type: 'RuleName', method: 'name', list: 'rules' },
  DType: { type: 'DType', method: 'name', list: 'dtypes' },
  Direction: { type: "'left' | 'right'", method: 'name', list: 'directions' },
  Index: { type: 'number', method: 'index' },
  Extent: { type: 'Extent', method: 'extent', none: 0 },
  Offset: { type: 'number', method: 'offset', none: 0 },
  Integer: { type: 'Extent', method: 'integer', words: 2 },
  List: { type: 'readonly Extent[]', method: 'list' },
};

const header = readFileSync(options.rows, 'utf8');
await renew(write(rowsOf('ERROR'), rowsOf('REQUEST')), {
  check: options.check,
  source: 'wasm/bindings/fields.h',
  script: 'scripts/generate-fields.mjs',
});

// The rows of BROADLOOM_<name>_FIELDS, in order.
function rowsOf(name) {
  const start = header.indexOf(`#define BROADLOOM_${name}_FIELDS(X)`);
  if (start < 0) throw new Error(`${options.rows} has no rows BROADLOOM_${name}_FIELDS`);
  const [macro] = /^(?:.*\\\n)*.*/.exec(header.slice(start));
  const body = macro.replaceAll('\\\n', '\n').slice(macro.indexOf('\n'));
  const found = [...body.matchAll(/X\((\w+), ([\w.]+), (\w+),\s*((?:"(?:\\.|[^"\\])*"\s*)+)\)/g)];
  if (found.length === 0 || found.length !== body.split('X(').length - 1) {
    throw new Error(`BROADLOOM_${name}_FIELDS: a row is not of the form X(kind, member, name, "doc")`);
  }
  return found.map(([, kind, , field, doc]) => {
    if (!Object.hasOwn(kinds, kind)) throw new Error(`BROADLOOM_${name}_FIELDS: ${field} is of no known kind: ${kind}`);
    const texts = [...doc.matchAll(/"((?:\\.|[^"\\])*)"/g)].map(([, text]) => JSON.parse(`"${text}"`));
    return { field, doc: texts.join(''), words: 1, none: null, ...kinds[kind] };
  });
}

function write(errors, requests) {
  const first = '// Made from wasm/bindings/fields.h by scripts/generate-fields.mjs; not to be changed by hand.';
  // The offsets of an error are its `span` for users.
  const shown = errors.filter(({ method }) => method !== 'offset');
  const typeOf = ({ field, type, none }) => (none === null && field !== 'code' ? `${type} | null` : type);
  const typesFile = [
    first,
    [
      "import type { PackageErrorCode } from './error-code.js';",
      "import type { Extent } from './extent.js';",
      "import type { ClauseName, DetailName, DType, OpName, RuleName } from './vocabulary.js';",
    ].join('\n'),
    [
      '/** What the core reports of an error. Operands and axes count from 0. */',
      'export interface ErrorFields {',
      ...shown.map((row) => member(row, typeOf(row))),
      '}',
    ].join('\n'),
    [
      '/** The fields of an error of which nothing is known. */',
      "export const NO_FIELDS: Omit<ErrorFields, 'code'> = {",
      ...shown.flatMap(({ field, none }) => (field === 'code' ? [] : [`${field}: ${none},`])),
      '};',
    ].join('\n'),
  ];
  const argumentsOf = ({ list }) => (list === undefined ? [] : [`'${list}'`]);
  const isList = ({ method }) => method === 'list';
  const same = [
    ...requests.filter((row) => !isList(row)).map(({ field }) => `a.${field} === b.${field}`),
    ...requests.filter(isList).map(({ field }) => `sameExtents(a.${field}, b.${field})`),
  ];
  const writes = (rows, from) =>
    rows.map((row) => `to.${row.method}(${[...argumentsOf(row), `${from}.${row.field}`].join(', ')});`);
  const fieldsFile = [
    first,
    [
      "import type { PackageErrorCode } from '../types/error-code.js';",
      "import type { ErrorFields } from '../types/error-fields.js';",
      "import { sameExtents, type Extent } from '../types/extent.js';",
      "import type { ClauseName, DetailName, DType, OpName, RuleName } from '../types/vocabulary.js';",
      "import type { FieldReader, FieldWriter } from './module.js';",
    ].join('\n'),
    [
      '/** The fields of an error as the core has them. */',
      'export interface ErrorWords extends ErrorFields {',
      ...errors.filter((row) => !shown.includes(row)).map((row) => member(row, row.type)),
      '}',
    ].join('\n'),
    [
      '/** Reads an error. */',
      'export function readError(from: FieldReader): ErrorWords {',
      'return {',
      // A name is a string for the reader; the list says which strings there are.
      ...errors.map(
        (row) => `${row.field}: from.${row.method}(${argumentsOf(row)})${row.list ? ` as ${typeOf(row)}` : ''},`,
      ),
      '};',
      '}',
    ].join('\n'),
    [
      '/** Writes an error. */',
      'export function writeError(to: FieldWriter, error: ErrorWords): void {',
      ...writes(errors, 'error'),
      '}',
    ].join('\n'),
    [
      '/** What the core is asked. Every value was read from the caller and found to fit into 64 bits. */',
      'export interface Request {',
      ...requests.map((row) => member(row, `${row.type} | undefined`, '?')),
      '/** Of each operand. */',
      'readonly shapes: readonly (readonly Extent[])[];',
      '/** Of each operand, where types matter. */',
      'readonly dtypes?: readonly DType[] | undefined;',
      '}',
    ].join('\n'),
    [
      '/** A request that is still being written. */',
      'export type NewRequest = { -readonly [K in keyof Request]: Request[K] };',
    ].join('\n'),
    [
      '/**',
      ' * A request about operands, with no other field given. It has every field as a property of its own, so that none is',
      ' * read from Object.prototype, where a library may have put one. An object literal is made faster than a copy.',
      ' */',
      'export function newRequest(shapes: readonly (readonly Extent[])[], dtypes?: readonly DType[]): NewRequest {',
      `return { ${requests.map(({ field }) => `${field}: undefined, `).join('')}shapes, dtypes };`,
      '}',
    ].join('\n'),
    [
      "/** Words of a request's fields, without the values of lists. */",
      `export const REQUEST_WORDS = ${requests.reduce((sum, { words }) => sum + words, 0)};`,
    ].join('\n'),
    [
      '/** Writes the fields of a request. Its operands follow. */',
      'export function writeFields(to: FieldWriter, request: Request): void {',
      ...writes(requests, 'request'),
      '}',
    ].join('\n'),
    [
      '/** Whether two requests are the same but for their operands. */',
      'export function sameFields(a: Request, b: Request): boolean {',
      `return ${same.join(' && ')};`,
      '}',
    ].join('\n'),
  ];
  return {
    'wasm/src/types/error-fields.ts': `${typesFile.join('\n\n')}\n`,
    'wasm/src/core/fields.ts': `${fieldsFile.join('\n\n')}\n`,
  };
}

// A property of an interface.
function member({ field, doc }, type, optional = '') {
  return `/** ${doc} */\nreadonly ${field}${optional}: ${type};`;
}
