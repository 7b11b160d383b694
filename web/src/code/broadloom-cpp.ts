// This library's C++: a whole program.

import type { Extent } from '../engine/engine';
import { integerForm, isComplex, isFloat, isInteger } from './dtypes';
import { encodeFloat, isSmallFloat } from '../engine/engine';
import { list, tuple } from './lines';
import { type CodeOperand, type CodeQuestion, resultType, Unwritable, type Writer, written } from './question';
import { counts, everyValue, one, repeats, spelled } from './values';

/** The most elements that are written out; longer arrays are filled by a loop. */
const mostWritten = 32;

/** The C++ type that an entry of the memory has. */
function entryType(dtype: string): string {
  const form = integerForm(dtype);
  if (form) return `${form.signed ? 'int' : 'uint'}${form.bits}_t`;
  if (dtype === 'f32' || dtype === 'c64') return 'float';
  if (dtype === 'f64' || dtype === 'c128') return 'double';
  if (isFloat(dtype)) return 'uint16_t';
  if (dtype === 'bool' || isSmallFloat(dtype)) return 'uint8_t';
  throw new Unwritable(`${dtype} is packed: its bytes are best read from a file.`);
}

const digits = (dtype: string) => {
  const limits = `std::numeric_limits<${entryType(dtype)}>`;
  return { true: '1', false: '0', nan: `${limits}::quiet_NaN()`, infinity: `${limits}::infinity()`, imaginary: '' };
};

function integer(value: bigint, dtype: string): string {
  // The least value has no literal.
  if (value === -(2n ** 63n)) return 'INT64_MIN';
  return dtype === 'u64' ? `${value}u` : String(value);
}

function entries(operand: CodeOperand): readonly string[] {
  const { dtype } = operand;
  const values = everyValue(operand);
  if (isSmallFloat(dtype)) return values.map((value) => `0x${encodeFloat(Number(value), dtype).toString(16)}`);
  if (isInteger(dtype)) return values.map((value) => integer(BigInt(value), dtype));
  return values.map((value) => literal(spelled(value, digits(dtype)), entryType(dtype)));
}

/** A number as a literal of the type, so that nothing is narrowed: 12 stays, 0.5 is 0.5f as a float. */
function literal(text: string, type: string): string {
  if (!/^-?[\d.e+-]+$/.test(text)) return text;
  const small = /^-?\d{1,7}$/.test(text);
  if (small) return text;
  const real = /[.e]/.test(text) ? text : `${text}.0`;
  return type === 'float' ? `${real}f` : real;
}

/** The operand's memory and its extents. */
function memory(operand: CodeOperand, variable: string): readonly string[] {
  const { dtype, elements, shape, values } = operand;
  const type = entryType(dtype);
  const extents = `const std::vector<int64_t> ${variable}_shape = {${shape.join(', ')}};`;
  const formula = counts(values) && (isInteger(dtype) || dtype === 'bool' || dtype === 'f32' || dtype === 'f64');
  if (repeats(values) && !isComplex(dtype) && BigInt(elements) > BigInt(mostWritten))
    return [
      `const std::vector<${type}> ${variable}(${elements}, ${entries(one({ ...operand, values }))[0]});`,
      extents,
    ];
  if (!formula || BigInt(elements) <= BigInt(mostWritten))
    return [`const std::vector<${type}> ${variable} = ${list('{', entries(operand), '}')};`, extents];
  const { first, step } = values;
  const steps = step === 1 ? 'i' : `i * ${step}`;
  const count =
    dtype === 'bool' ? `${step === 1 ? 'i' : `i / ${step}`} % 2` : first === 0 ? steps : `${first} + ${steps}`;
  return [
    `std::vector<${type}> ${variable}(${elements});`,
    `for (size_t i = 0; i < ${variable}.size(); ++i) ${variable}[i] = static_cast<${type}>(${count});`,
    extents,
  ];
}

const typeName = (dtype: string): string => `DType::k${dtype === 'bool' ? 'Bool' : dtype.toUpperCase()}`;
const ruleName = (rule: string): string =>
  `Rule::k${rule.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())}`;

/** The fields of ApplyOptions, in their order. */
function fields({ rule, options, op, attributes }: CodeQuestion): readonly string[] {
  const attribute =
    op.attribute === 'direction'
      ? [`.attributes = {.direction = ShiftDirection::k${attributes.direction === 'right' ? 'Right' : 'Left'}}`]
      : op.attribute === 'to'
        ? [`.attributes = {.to = ${typeName(attributes.to)}${attributes.saturate === '1' ? ', .saturate = 1' : ''}}`]
        : op.attribute === 'fmod' && attributes.fmod === '1'
          ? ['.attributes = {.fmod = 1}']
          : [];
  return [
    ...(rule === op.defaultRule ? [] : [`.rule = ${ruleName(rule)}`]),
    ...(options.axis === undefined ? [] : [`.axis = ${options.axis}`]),
    ...(options.targetShape === undefined ? [] : ['.target_shape = target']),
    ...(options.axesMapping === undefined ? [] : ['.axes_mapping = mapping']),
    ...attribute,
  ];
}

const extents = (name: string, values: readonly Extent[] | undefined): readonly string[] =>
  values === undefined ? [] : [`const std::vector<int64_t> ${name} = {${values.join(', ')}};`];

/** One result from one call. */
const single = (question: CodeQuestion): readonly string[] => {
  const given = fields(question);
  const options = given.length > 0 ? `{${given.join(', ')}}` : '';
  // On a line of their own if they are long.
  const joint = options === '' ? '' : options.length > 40 ? ',\n    ' : ', ';
  const type = entryType(resultType(question));
  return [
    `const Result<Tensor> out = Apply(Op::k${question.op.name}, inputs${joint}${options});`,
    'if (!out) return 1;',
    `// out->shape() is ${tuple(question.alignment.output)}`,
    `for (const ${type} value : out->as<${type}>()) std::cout << +value << ' ';`,
  ];
};

/** A result for each operand comes from a plan. */
const several = ({ rule, operands, alignment }: CodeQuestion, names: readonly string[]): readonly string[] => [
  `const ShapeView shapes[] = {${names.map((name) => `${name}_shape`).join(', ')}};`,
  `const DType types[] = {${operands.map(({ dtype }) => typeName(dtype)).join(', ')}};`,
  `const Result<Plan> plan = MakePlan(Op::kBroadcast, shapes, types, {.rule = ${ruleName(rule)}});`,
  'if (!plan) return 1;',
  'std::vector<Tensor> outs;',
  'std::vector<MutableTensorView> views;',
  'for (const DType type : types) {',
  '  Result<Tensor> out = Tensor::Allocate(type, plan->output_shape());',
  '  if (!out) return 1;',
  '  outs.push_back(std::move(*out));',
  '}',
  'for (Tensor& out : outs) views.push_back(out.view());',
  'if (!Run(*plan, inputs, views)) return 1;',
  `// each of outs has the shape ${tuple(alignment.output)}`,
  ...operands.map(({ dtype }, i) => {
    const type = entryType(dtype);
    return `for (const ${type} value : outs[${i}].as<${type}>()) std::cout << +value << ' ';`;
  }),
];

function write(question: CodeQuestion, names: readonly string[]): string {
  const { operands, options, returnsEach: isSeveral } = question;
  const body = [
    ...operands.flatMap((operand, i) => memory(operand, names[i] ?? '')),
    ...extents('target', options.targetShape),
    ...extents('mapping', options.axesMapping),
    'const TensorView inputs[] = {',
    ...operands.map(({ dtype }, i) => {
      const name = names[i] ?? '';
      return `    {${typeName(dtype)}, ${name}_shape, ${name}.data(), ${name}.size() * sizeof(${entryType(dtype)})},`;
    }),
    '};',
    ...(isSeveral ? several(question, names) : single(question)),
  ];
  return [
    '#include <broadloom/broadloom.h>',
    '',
    '#include <cstdint>',
    '#include <iostream>',
    ...(body.some((line) => line.includes('std::numeric_limits')) ? ['#include <limits>'] : []),
    ...(isSeveral ? ['#include <utility>'] : []),
    '#include <vector>',
    '',
    'int main() {',
    '  using namespace broadloom;',
    ...body.map((line) => line.replace(/^/gm, '  ')),
    '}',
    '',
  ].join('\n');
}

export const broadloomCpp: Writer = (question) => written(question, (names) => write(question, names));
