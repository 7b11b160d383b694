// This package's JavaScript.

import type { Extent } from '../engine/engine';
import { integerForm, isComplex, isFloat, isInteger } from './dtypes';
import { encodeFloat, isSmallFloat } from '../engine/engine';
import { brackets, list } from './lines';
import { type CodeOperand, type CodeQuestion, onlyRepeats, Unwritable, type Writer, written } from './question';
import { counts, everyValue, one, repeats, spelled } from './values';

/** The typed array of an element type, and whether it implies the type. */
function arrayOf(dtype: string): { readonly name: string; readonly impliesType: boolean } {
  const form = integerForm(dtype);
  if (form) {
    const wide = form.bits === 64 ? 'Big' : '';
    return { name: `${wide}${form.signed ? 'Int' : 'Uint'}${form.bits}Array`, impliesType: true };
  }
  if (dtype === 'f32' || dtype === 'f64')
    return { name: dtype === 'f32' ? 'Float32Array' : 'Float64Array', impliesType: true };
  if (isComplex(dtype)) return { name: dtype === 'c64' ? 'Float32Array' : 'Float64Array', impliesType: false };
  if (isFloat(dtype)) return { name: 'Uint16Array', impliesType: false };
  if (dtype === 'bool' || isSmallFloat(dtype)) return { name: 'Uint8Array', impliesType: false };
  throw new Unwritable(`${dtype} is packed: its bytes are best read from a file.`);
}

/** Text, and no import of this module. */
const packageName = 'broadloom';

/** How to get the package, which no registry has. Put before the finished text, so that operands may have its words as names. */
const installing = `// The package is not published. In a clone of Broadloom:
//   npm run build -- package && npm pack -w wasm
// In your project:
//   npm install /path/to/${packageName}-0.1.0.tgz
`;

const digits = { true: '1', false: '0', nan: 'NaN', infinity: 'Infinity', imaginary: '' };

/** One entry of the typed array for each value; a complex number has two. */
function entries(operand: CodeOperand): readonly string[] {
  const { dtype } = operand;
  const values = everyValue(operand);
  if (isSmallFloat(dtype)) return values.map((value) => `0x${encodeFloat(Number(value), dtype).toString(16)}`);
  const suffix = integerForm(dtype)?.bits === 64 ? 'n' : '';
  return values.map((value) => `${spelled(value, digits).replace(/^-0\.0$/, '-0')}${suffix}`);
}

function counting({ first, step }: { first: number; step: number }, dtype: string): string {
  if (dtype === 'bool') return step === 1 ? 'i % 2' : `Math.floor(i / ${step}) % 2`;
  const steps = step === 1 ? 'i' : `${step} * i`;
  const value = first === 0 ? steps : `${first} + ${steps}`;
  return integerForm(dtype)?.bits === 64 ? `BigInt(${value})` : value;
}

function data(operand: CodeOperand): string {
  const { dtype, elements, shape, values } = operand;
  const { name } = arrayOf(dtype);
  const formula = counts(values) && (isInteger(dtype) || dtype === 'bool' || dtype === 'f32' || dtype === 'f64');
  if (repeats(values) && !isComplex(dtype) && shape.length > 0)
    return `new ${name}(${elements}).fill(${entries(one({ ...operand, values }))[0]})`;
  if (!formula || shape.length === 0) return `${list(`new ${name}([`, entries(operand), '])')}`;
  return `${name}.from({ length: ${elements} }, (_, i) => ${counting(values, dtype)})`;
}

function array(operand: CodeOperand): string {
  const typed = arrayOf(operand.dtype).impliesType ? '' : `, dtype: '${operand.dtype}'`;
  return `{ data: ${data(operand)}, shape: ${brackets(operand.shape)}${typed} }`;
}

/** The option that chooses the rule: an operator's `rule`, Broadcast's `mode`; none for the default. */
function ruleOf(question: CodeQuestion): readonly string[] {
  const { rule, op } = question;
  if (rule === op.defaultRule || op.attribute === 'to') return []; // one operand is matched with none
  return [onlyRepeats(question) ? `mode: '${rule}'` : `rule: '${rule}'`];
}

function optionsOf(question: CodeQuestion): readonly string[] {
  const { options, op, attributes } = question;
  const listed = (key: string, values: readonly Extent[] | undefined): readonly string[] =>
    values === undefined ? [] : [`${key}: ${brackets(values)}`];
  const attribute =
    op.attribute === 'direction'
      ? [`attrs: { direction: '${attributes.direction === 'right' ? 'right' : 'left'}' }`]
      : op.attribute === 'to' && attributes.saturate === '1'
        ? ['saturate: true']
        : op.attribute === 'fmod' && attributes.fmod === '1'
          ? ['attrs: { fmod: 1 }']
          : [];
  return [
    ...ruleOf(question),
    ...(options.axis === undefined ? [] : [`axis: ${options.axis}`]),
    ...listed('targetShape', options.targetShape),
    ...listed('axesMapping', options.axesMapping),
    ...attribute,
  ];
}

function call(names: readonly string[], question: CodeQuestion): string {
  const { op, returnsEach } = question;
  if (returnsEach) return `bl.broadcastArrays(${names.join(', ')})`;
  const options = optionsOf(question);
  const given = options.length > 0 ? `, { ${options.join(', ')} }` : '';
  const list = op.mostOperands === null && !onlyRepeats(question) ? `[${names.join(', ')}]` : names.join(', ');
  const operands = op.attribute === 'to' ? `${list}, '${question.attributes.to}'` : list;
  return `bl.${op.method}(${operands}${given})`;
}

function write(question: CodeQuestion, names: readonly string[]): string {
  const { operands, returnsEach: several, alignment } = question;
  return [
    `import { load } from '${packageName}';`,
    '',
    'const bl = await load();',
    ...operands.map((operand, i) => `const ${names[i]} = ${array(operand)};`),
    `const ${several ? 'outs' : 'out'} = ${call(names, question)}; // ${several ? 'each of shape' : 'shape'} ${brackets(alignment.output)}`,
    several ? 'for (const { data } of outs) console.log(data);' : 'console.log(out.data);',
    '',
  ].join('\n');
}

export const broadloomJs: Writer = (question) => {
  const code = written(question, (names) => write(question, names));
  return 'reason' in code ? code : { text: `${installing}${code.text}` };
};
