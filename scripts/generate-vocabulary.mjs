// Generates from the core's tables: the package's names and types, wasm/src/types/vocabulary.ts, its methods,
// wasm/src/signatures/operators.ts and threaded-operators.ts; the tables that only the module that explains has, wasm/src/models/layers.ts and
// web/src/code/systems.ts; and, for tests and benches that run without the core, tests/reference/vocabulary.json.
//
//   node scripts/generate-vocabulary.mjs [--check] [--core FOLDER]
//
// FOLDER (default: build/wasm/wasm) holds broadloom-core.wasm and broadloom-explain.wasm. With --check, nothing is written, and a file that
// differs from the generated one is an error.

import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { renew } from './generated.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

const { values: options } = parseArgs({
  options: {
    check: { type: 'boolean', default: false },
    core: { type: 'string', default: process.env.BROADLOOM_CORE_DIR ?? resolve(root, 'build/wasm/wasm') },
  },
});

await renew(write(await loadCore(resolve(options.core)), await explainNames(resolve(options.core))), {
  check: options.check,
  source: 'the core',
  script: 'scripts/generate-vocabulary.mjs',
});

async function loadCore(folder) {
  const { instance } = await WebAssembly.instantiate(await readFile(resolve(folder, 'broadloom-core.wasm')));
  instance.exports._initialize();
  return instance.exports;
}

function vocabularyText({ memory, broadloom_vocabulary, broadloom_answer }) {
  const size = broadloom_vocabulary();
  return Buffer.from(memory.buffer, broadloom_answer() >>> 0, size).toString();
}

// The names that only the module that explains knows.
async function explainNames(folder) {
  const bytes = await readFile(resolve(folder, 'broadloom-explain.wasm'));
  const env = { emscripten_notify_memory_growth() {} };
  const { instance } = await WebAssembly.instantiate(bytes, { env });
  const { memory, _initialize, broadloom_names, broadloom_answer_text } = instance.exports;
  _initialize();
  const size = broadloom_names();
  return JSON.parse(Buffer.from(memory.buffer, broadloom_answer_text(), size).toString());
}

function write(core, explained) {
  const vocabulary = JSON.parse(vocabularyText(core));
  const { ops } = vocabulary;
  const dtypes = Object.keys(vocabulary.dtypes);
  const first = '// Made from the core by scripts/generate-vocabulary.mjs; not to be changed by hand.';
  const names = [
    first,
    union('DType', 'The name of an element type.', Object.values(vocabulary.dtypes)),
    union('OpName', 'The name of an operator.', Object.values(ops)),
    union('RuleName', 'The name of a broadcasting rule.', Object.values(vocabulary.rules)),
    union('ErrorCode', 'The class of an error.', Object.values(vocabulary.errors)),
    union('DetailName', 'What exactly is wrong, within a class.', Object.values(vocabulary.details)),
    union('DocumentName', 'A document that governs rules.', Object.values(vocabulary.documents)),
    union('ClauseName', 'A clause of such a document.', Object.values(vocabulary.clauses)),
    union('Relation', 'How an operand takes part in one axis of the result.', vocabulary.relations),
    union('RepairKind', 'What kind of change a repair is.', vocabulary.repairs),
    union('Grade', 'How sure it is that a repair is what was meant.', explained.grades),
    union('CauseKind', 'Why shapes do not fit.', explained.causes),
    union('WarningKind', 'Why shapes that fit may not be meant to.', explained.warnings),
    union('CodeSystem', 'A system for which lines of code are written.', explained.systems),
    writePromotions(),
    writeTable(),
  ];
  const methods = (interfaces) => [
    first,
    [
      "import type { AnyOperand } from '../operands/arrays.js';",
      "import type { ResultForm } from '../operands/result-forms.js';",
      "import type { Promote } from '../types/promote.js';",
      "import type { Fit, FittingList, Given, Problem, ResultType } from './inference.js';",
      "import type { AnyOut, ApplyOptions } from './options.js';",
    ].join('\n'),
    interfaces,
  ];
  return {
    'wasm/src/types/vocabulary.ts': `${names.join('\n\n')}\n`,
    'wasm/src/signatures/operators.ts': `${methods(writeMethods()).join('\n\n')}\n`,
    'wasm/src/signatures/threaded-operators.ts': `${methods(writeThreadedMethods()).join('\n\n')}\n`,
    'wasm/src/models/layers.ts': `${writeLayers().join('\n\n')}\n`,
    'web/src/code/systems.ts': `${writeSystems().join('\n\n')}\n`,
    'tests/reference/vocabulary.json': JSON.stringify(namesAndKinds()),
  };

  function writeLayers() {
    const meanings = explained.layers.map(({ type, ...meaning }) => `${type}: ${JSON.stringify(meaning)}`);
    const dtypes = explained.precisions.map(({ precision, dtype }) => `${precision}: '${dtype}'`);
    return [
      first,
      "import type { DType, OpName } from '../types/vocabulary.js';",
      [
        "/** What a type of layer in OpenVINO's IR computes: an operator, and the attribute that the type stands for. */",
        'export interface LayerMeaning {',
        'readonly op: OpName;',
        'readonly fmod: 1 | null;',
        "readonly direction: 'left' | 'right' | null;",
        '}',
      ].join('\n'),
      `/** By type. */\nexport const LAYERS: { readonly [type: string]: LayerMeaning | undefined } = {${meanings.join(', ')}};`,
      `/** Element types by the precision of a port. */\nexport const PRECISIONS: { readonly [precision: string]: DType | undefined } = {${dtypes.join(', ')}};`,
    ];
  }

  function writeSystems() {
    const systems = explained.systems.map(({ name, title }) => `{ id: '${name}', title: ${JSON.stringify(title)} }`);
    return [
      first,
      "import type { CodeSystem } from '../engine/engine';",
      [
        "/** Every system that a question is written for, in the order of the page's tabs. */",
        'export const systems: readonly { readonly id: CodeSystem; readonly title: string }[] = [',
        systems.join(',\n'),
        '];',
      ].join('\n'),
      `/** The most values of an operand that are written one by one. */\nexport const mostListed = ${explained.mostListed};`,
    ];
  }

  /** As much of the rows as is needed where no core is at hand. */
  function namesAndKinds() {
    const pick = (rows, ...fields) =>
      Object.fromEntries(
        Object.values(rows).map((row) => [row.name, Object.fromEntries(fields.map((field) => [field, row[field]]))]),
      );
    return {
      dtypes: pick(vocabulary.dtypes, 'bits', 'kind'),
      ops: pick(ops, 'result', 'attribute'),
      rules: Object.fromEntries(
        Object.values(vocabulary.rules).map((row) => [row.name, { moves: row.takesTarget || row.returnsEach }]),
      ),
      errors: Object.keys(vocabulary.errors),
    };
  }

  function union(name, doc, rows) {
    const members = rows.map((row) => (typeof row === 'string' ? { name: row } : row));
    const lines = members.map(({ name: member, doc: text, title }) =>
      text || title ? `  /** ${text ?? title} */\n  | '${member}'` : `  | '${member}'`,
    );
    return `/** ${doc} */\nexport type ${name} =\n${lines.join('\n')};`;
  }

  /** Each pair in both orders, because a lookup costs the compiler almost nothing. */
  function writePromotions() {
    // In the order of the core's WeakKind; a bool without a type is promoted as one with a type.
    const kinds = ['int', 'float'];
    const all = [...dtypes, ...kinds];
    const common = (a, b) => {
      const set = [a, b].reduce((bits, i) => (i < dtypes.length ? bits | (1 << i) : bits), 0);
      const weak = Math.max(...[a, b].map((i) => (i < dtypes.length ? 0 : 2 + i - dtypes.length)));
      const promoted = dtypes[core.broadloom_result_type(set, weak)];
      return promoted === undefined ? 'null' : `'${promoted}'`;
    };
    const rows = all.map(
      (name, a) => `  ${name}: { ${all.map((other, b) => `${other}: ${common(a, b)}`).join('; ')} };`,
    );
    return [
      '/** A kind of scalar without an element type: `true` is bool, `1` and `1n` are int, `1.5` is float. */',
      "export type WeakKind = 'bool' | 'int' | 'float';",
      '',
      '/**',
      ' * What two element types become, or one and a kind of scalar, as NumPy promotes them; null where they have no common',
      " * type: `PromotionTable['i8']['u8']` is `'i16'`.",
      ' */',
      'export interface PromotionTable {',
      ...rows,
      '}',
      '',
      '/**',
      ' * The common type of two element types, or of one and a kind of scalar, as NumPy promotes them; never where there',
      ' * is none.',
      ' *',
      " * @example PromotedType<'i8', 'u8'> // 'i16'",
      " * @example PromotedType<'i32', 'int' | 'float'> // 'i32' | 'f64', as for a number of which no more is known",
      ' */',
      'export type PromotedType<A extends DType | WeakKind, B extends DType | WeakKind> = Extract<',
      '  PromotionTable[A][B],',
      '  DType',
      '>;',
    ].join('\n');
  }

  /** A list of names as a union type, or a reference to an operator with the same list. */
  function types(names, seen, key) {
    const text = names.length === dtypes.length ? 'DType' : names.map((name) => `'${name}'`).join(' | ');
    if (text === 'DType' || names.length < 3) return text;
    if (seen.has(text)) return `OpTable['${seen.get(text)}']['types']`;
    if (key !== undefined) seen.set(text, key);
    return text;
  }

  function leadOf(op) {
    return op.result === 'second' ? 1 : 0;
  }

  /** The types that each operand takes, including those that an attribute adds. */
  function typesOf(op) {
    return op.fmodTypes ?? op.types;
  }

  function writeTable() {
    const seen = new Map();
    const rules = new Map();
    const rows = Object.values(ops).map((op) => {
      const lead = leadOf(op);
      const leading = types(typesOf(op)[lead], seen, op.name);
      const free = op.follows.flatMap((follows, i) => (follows ? [] : [`'${i}'`]));
      const operands = typesOf(op).map((names) => types(names, seen, undefined));
      const key = op.rules.map((name) => `'${name}'`).join(' | ');
      const names = rules.has(key) ? `OpTable['${rules.get(key)}']['rules']` : key;
      if (!rules.has(key)) rules.set(key, op.name);
      return [
        `  /** ${op.doc} */`,
        `  ${op.name}: {`,
        `    types: ${leading};`,
        `    operands: ${op.mostOperands === null ? `(${operands[0]})[]` : `[${operands.join(', ')}]`};`,
        `    lead: ${lead};`,
        `    free: ${free.length === 0 ? 'never' : free.join(' | ')};`,
        `    result: '${op.result}';`,
        `    integersTo: ${op.integersTo === null ? 'never' : `'${op.integersTo}'`};`,
        `    attribute: ${op.attribute === null ? 'never' : `'${op.attribute}'`};`,
        `    rules: ${names};`,
        '  };',
      ].join('\n');
    });
    const doc = [
      '/**',
      ' * What operators take, for the types of the package: element types of the leading operand and of each, which one',
      ' * leads, which may be of a type of their own, the type of the result, what promotion makes of integers, the attribute',
      ' * and the rules.',
      ' */',
    ];
    return [...doc, 'export interface OpTable {', ...rows, '}'].join('\n');
  }

  /** The operators with a method that is generated: two others are written by hand. */
  function operators() {
    return Object.values(ops).filter((op) => op.method !== 'broadcast' && op.attribute !== 'to');
  }

  function writeMethods() {
    const methods = operators().map((op) => writeMethod(op));
    const doc = [
      '/**',
      ' * A method for each operator. Operands of one element type (but where said otherwise) are matched by a rule, by',
      " * default the operator's own; the result has the broadcast shape.",
      ' *',
      ' * @throws BroadcastError for whatever does not fit; nothing has been written then.',
      ' */',
    ];
    return [...doc, 'export interface Operators {', methods.join('\n\n'), '}'].join('\n');
  }

  function writeThreadedMethods() {
    const methods = operators().map((op) => writeMethod(op, [`  /** As \`Operators.${op.method}\`. */`], 'Promise'));
    const doc = ['/** The methods of `Operators`, for operators that are computed by threads. */'];
    return [...doc, 'export interface ThreadedOperators {', methods.join('\n\n'), '}'].join('\n');
  }

  function docOf(op) {
    return [
      '  /**',
      `   * \`${op.notation}\`: ${op.doc}.`,
      '   *',
      `   * Types: ${typesInWords(op)}. Rules: ${op.rules.map((rule) => `\`${rule}\`${rule === op.defaultRule ? ' (default)' : ''}`).join(', ')}.`,
      `   * Governed by: ${documentOf(op)}.`,
      '   *',
      ...exampleOf(op).map((line, i) => (i === 0 ? `   * @example ${line}` : `   * ${line}`)),
      '   */',
    ];
  }

  /** `later` is the generic type in which the result is returned; '': the result itself. */
  function writeMethod(op, doc = docOf(op), later = '') {
    const needsOptions = op.attribute === 'direction';
    const signature = (list, generics, parameters, required = '') => {
      const result = op.result === 'bool' ? "'bool'" : `ResultType<'${op.name}', ${list}, M>`;
      const given = `Given<${result}, ${list}, F, T>`;
      return [
        `  ${op.method}<`,
        ...generics.map((generic) => `    const ${generic},`),
        "    M extends Promote = 'strict',",
        "    F extends ResultForm | 'first' = 'array',",
        '    const T extends AnyOut = never,',
        '  >(',
        ...parameters.map((parameter) => `    ${parameter},`),
        `    options${required === '' ? '?' : ''}: ApplyOptions<'${op.name}', ${result}, M, F, T>${required},`,
        later === '' ? `  ): ${given};` : `  ): ${later}<${given}>;`,
      ];
    };
    if (op.mostOperands === null) {
      const arrays = `arrays: L & FittingList<'${op.name}', L, M>`;
      doc.push(...signature('L', ['L extends readonly AnyOperand[]'], [arrays]));
      return doc.join('\n');
    }
    const names = op.notation.match(/\b[a-z]\b/g);
    const typeNames = names.map((name) => name.toUpperCase());
    const list = `readonly [${typeNames.join(', ')}]`;
    const generics = typeNames.map((name) => `${name} extends AnyOperand`);
    const fixed = (required, types = '') => {
      const problem = (i) => `Problem<'${op.name}', ${list}, M, '${i}', ${typeNames[i]}${types}>`;
      const parameters = names.map((name, i) => `${name}: Fit<${typeNames[i]}, ${problem(i)}>`);
      return signature(list, generics, parameters, required);
    };
    if (op.attribute === 'fmod') {
      const lead = leadOf(op);
      const other = op.fmodTypes[lead].filter((name) => !op.types[lead].includes(name));
      const union = (dtypes) => `, ${dtypes.map((name) => `'${name}'`).join(' | ')}`;
      doc.push(
        ...fixed('', union(op.types[lead])),
        '  /** The same of floats, which have the one remainder only. */',
        ...fixed(' & { readonly attrs: { readonly fmod: 1 } }', union(other)),
      );
      return doc.join('\n');
    }
    doc.push(...fixed(needsOptions ? " & { readonly attrs: { readonly direction: 'left' | 'right' } }" : ''));
    return doc.join('\n');
  }

  function typesInWords(op) {
    const list = (names) => (names.length === dtypes.length ? 'any' : names.join(' '));
    const words = op.types.map(list);
    const all = words.every((text) => text === words[0]) ? words[0] : words.join('; ');
    if (op.fmodTypes === null) return all;
    const lead = leadOf(op);
    const other = op.fmodTypes[lead].filter((name) => !op.types[lead].includes(name));
    return `${all}; with fmod=1 also ${other.join(' ')}`;
  }

  function documentOf(op) {
    const clause = vocabulary.clauses[vocabulary.rules[op.defaultRule].clauses.conflict];
    return vocabulary.documents[clause.document].title;
  }

  function exampleOf(op) {
    const lead = leadOf(op);
    const floats = typesOf(op)[lead].includes('f32');
    const data = (dtype, text) => {
      if (dtype === 'bool')
        return `{ data: new Uint8Array([${text}]), shape: [${text.split(',').length}], dtype: 'bool' }`;
      const array = dtype === 'f32' ? 'Float32Array' : 'Uint32Array';
      return `{ data: new ${array}([${text}]), shape: [${text.split(',').length}] }`;
    };
    const dtype = typesOf(op)[lead].length === 1 ? 'bool' : floats ? 'f32' : 'u32';
    const attrs = op.attribute === 'direction' ? ", { attrs: { direction: 'left' } }" : '';
    const fmod = op.attribute === 'fmod' && dtype === 'f32' ? ', { attrs: { fmod: 1 } }' : '';
    if (op.mostOperands === null) {
      return [`bl.${op.method}([${data(dtype, '1, 5, 3')}, ${data(dtype, '4')}]${attrs}); // shape [3]`];
    }
    const operands = op.follows.map((follows, i) => {
      if (!follows && typesOf(op)[i].length === 1) return data(typesOf(op)[i][0], '1, 0, 1');
      return data(
        dtype,
        i === op.follows.length - 1 ? (dtype === 'bool' ? '1' : '2') : dtype === 'bool' ? '1, 0, 1' : '1, 2, 3',
      );
    });
    return [`bl.${op.method}(${operands.join(', ')}${attrs || fmod}); // shape [3]`];
  }
}
