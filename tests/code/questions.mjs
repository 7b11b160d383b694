// Questions as lines of text for programs in C++; question_line.h reads them.
import { cases } from './cases.mjs';
import { writers } from './systems.mjs';

const listed = (values) => (values === undefined ? '-' : values.join(','));
const given = (text) => (text === '' || text === undefined ? '-' : text);

// -0 has to keep its sign, and bools are numbers.
const number = (value) => (typeof value === 'boolean' ? Number(value) : Object.is(value, -0) ? '-0' : value);

function valuesOf(values) {
  if ('first' in values) return `c ${values.first} ${values.step}`;
  return 'all' in values ? `r ${values.all.map(number)}` : `l ${values.map(number)}`;
}

// The line of a question in the form that the writers take.
export function lineOf({ rule, op, options, attributes, operands }) {
  return [
    rule,
    op.name,
    options.axis ?? '-',
    listed(options.targetShape),
    listed(options.axesMapping),
    given(attributes.fmod),
    given(attributes.direction),
    given(attributes.to),
    given(attributes.saturate),
    ...operands.flatMap(({ name, shape, dtype, values }) => [
      Buffer.from(name).toString('hex'),
      shape.join(','),
      dtype,
      valuesOf(values),
    ]),
  ].join('\t');
}

// FNV-1a of 32 bits, of the bytes of a text.
function hashOf(text) {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash.toString(16).padStart(8, '0');
}

// For each question a line of hashes, one for each system, then the question's own. A reason is hashed with a ! before it.
export function codeAnswers() {
  const lines = cases.map((question) => {
    const hashes = writers.map(({ write }) => {
      const { text, reason } = write(question);
      return hashOf(text ?? `!${reason}`);
    });
    return `${hashes.join(' ')}\n${lineOf(question)}\n`;
  });
  return lines.join('');
}
