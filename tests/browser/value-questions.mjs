// The questions that tests/browser/element-values.test.mjs asks the page: every operator x element type x kind of values,
// made from the package's vocabulary, so that what is new there is asked, too. As a program it prints them, for
// scripts/generate-page-answers.py, which answers them.
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { load } from 'broadloom';

const integer = /^([iu])(\d+)$/;

// Values that an element type is tested with, as they are typed.
function special({ name, bits }) {
  const [, sign] = integer.exec(name) ?? [];
  const width = BigInt(bits);
  if (name === 'bool') return ['true', 'false', '1', '0', 'True'];
  if (name === 'u1') return ['0', '1', 'true'];
  if (name === 'u4') return ['0', '1', '7', '8', '15'];
  if (name === 'i4') return ['0', '-1', '7', '-8', '3'];
  if (sign === 'i') {
    const most = 2n ** (width - 1n) - 1n;
    const far = bits === 64 ? ['9007199254740993', '-9007199254740993'] : [];
    return ['0', '1', '-1', '2', '-3', '7', '100', most, most - 1n, -most - 1n, -most, ...far].map(String);
  }
  if (sign === 'u') {
    const most = 2n ** width - 1n;
    const far = bits === 64 ? ['9007199254740993'] : [];
    return ['0', '1', '2', '3', '7', '200', width - 1n, width, most, most - 1n, 2n ** (width - 1n), ...far].map(String);
  }
  if (name.startsWith('c')) return ['1+2j', '-0.5j', 'nan', '3', '-0.1+7j', '1e-3+1e10j'];
  const edges = {
    f16: ['6e-8', '-6.1e-5', '65504', '2049', '-65504'],
    bf16: ['9.2e-41', '-1.1754944e-38', '3.3895314e38', '257', '-3.3895314e38'],
    f32: ['1e-45', '-1.1754944e-38', '3.4028235e38', '16777217', '-3.4028235e38'],
    f64: [
      '5e-324',
      '-2.2250738585072014e-308',
      '1.7976931348623157e308',
      '9007199254740993',
      '-1.7976931348623157e308',
    ],
    f8e4m3: ['0.001953125', '448', '464', '465', '-448'],
    f8e5m2: ['1.52587890625e-5', '57344', '61440', '9', '-57344'],
  };
  return ['0', '-0.0', '1.5', '-2.25', '0.1', '-3', 'nan', 'inf', '-inf', ...edges[name]];
}

// So many values in the forms that the page reads: nested brackets of several languages, what libraries print, lines.
const forms = [
  (rows) => `array([${rows.map((row) => `[${row.join(', ')}]`).join(',\n       ')}], dtype=object)`,
  (rows) => `{${rows.map((row) => `{${row.join(', ')}}`).join(', ')}}`,
  (rows) => rows.map((row) => row.join(' ')).join('\n'),
  (rows) => `x = torch.tensor([${rows.map((row) => `[${row.join(', ')}]`).join(', ')}])`,
  (rows) => rows.map((row) => row.join(',')).join(';'),
];
const nested = (values, shape) =>
  shape.length === 0
    ? values[0]
    : `[${Array.from({ length: shape[0] }, (_, i) => {
        const each = values.length / shape[0];
        return nested(values.slice(i * each, (i + 1) * each), shape.slice(1));
      }).join(', ')}]`;
function pasted(form, values, shape) {
  // Lines say a matrix and nothing else.
  if (shape.length !== 2 || shape.includes(1)) return nested(values, shape);
  return forms[form % forms.length](
    Array.from({ length: shape[0] }, (_, i) => values.slice(i * shape[1], (i + 1) * shape[1])),
  );
}

const count = (shape) => shape.reduce((product, extent) => product * extent, 1);

// Shapes that give an n x m result under a rule, and the rule's options.
function laidOut(rule, operands, n, m) {
  const more = (first, ...others) =>
    Array.from({ length: operands }, (_, i) => (i === 0 ? first : others[(i - 1) % others.length]));
  if (rule.takesMapping) return { shapes: [[n]], target: [n, m], mapping: '[0]' };
  if (rule.takesTarget) return { shapes: [[n, 1]], target: rule.reference === 'target' ? [n, m] : [m] };
  if (!rule.stretches) return { shapes: more([n, m], [n, m]) };
  if (rule.takesAxis) return { shapes: more([n, m], [n]), axis: '0' };
  if (rule.reference === 'first') return { shapes: more([n, m], [m]) };
  return { shapes: operands === 1 ? [[n, m]] : more([n, 1], [m], [1, 1]) };
}

// Element `i` of a list for an operand of that shape: along the axis that it has of its own every value comes up, and in
// an n x m operand the first one's run down and the others' across, so that every pair meets.
function cycled(values, shape, operand) {
  const [rows = 1, columns = 1] = shape.length === 2 ? shape : [1, shape[0] ?? 1];
  const down = operand === 0 && rows > 1;
  return Array.from({ length: count(shape) }, (_, i) => {
    const step = down ? Math.floor(i / columns) : i % columns;
    return values[step % values.length];
  });
}

// What an operator is asked with: `typed` is the type of operands that follow it, `attributes` what it takes besides.
function variantsOf(op) {
  const leading = Math.max(0, op.follows.indexOf(true));
  const accepted = (types) => types[Math.min(leading, types.length - 1)];
  if (op.attribute === 'fmod')
    return [
      ...accepted(op.types).map((dtype) => ({ dtype })),
      ...accepted(op.fmodTypes).map((dtype) => ({ dtype, fmod: '1' })),
    ];
  if (op.attribute === 'direction')
    return accepted(op.types).flatMap((dtype) => ['left', 'right'].map((direction) => ({ dtype, direction })));
  if (op.attribute === 'to') {
    const whole = (dtype) => integer.test(dtype);
    return accepted(op.types).flatMap((dtype) =>
      accepted(op.types).flatMap((to) => [
        { dtype, to },
        // Of integers alone it matters.
        ...(whole(dtype) && whole(to) && dtype !== to ? [{ dtype, to, saturate: '1' }] : []),
      ]),
    );
  }
  if (op.attribute)
    throw new Error(`the attribute ${op.attribute} of ${op.name} has no questions: say here what it takes`);
  return accepted(op.types).map((dtype) => ({ dtype }));
}

const kinds = ['special', 'counting', 'random', 'constant', 'pasted'];

// The vocabulary, and what two types are promoted to, or null.
async function loaded() {
  const bl = await load();
  const commonType = (a, b) => {
    try {
      return bl.resultType(a, b);
    } catch (error) {
      if (error.code === 'dtype') return null;
      throw error;
    }
  };
  return { vocabulary: bl.vocabulary, commonType };
}

export async function questions() {
  const { vocabulary, ...bl } = await loaded();
  const types = Object.fromEntries(Object.values(vocabulary.dtypes).map((type) => [type.name, type]));
  const asked = [];
  const ask = (id, question) => asked.push({ id, ...question });

  for (const op of Object.values(vocabulary.ops)) {
    const mostOf = (rule) => Math.min(vocabulary.rules[rule].mostOperands ?? Infinity, op.mostOperands ?? Infinity);
    // The type of an operand: the one chosen, or, where it does not follow that, what the operator takes there.
    const typeOf = (i, dtype) => {
      const at = (list) => list[Math.min(i, list.length - 1)];
      return at(op.follows) || at(op.types).includes(dtype) ? dtype : at(op.types)[0];
    };
    const question = ({ dtype, fmod = '', direction = '', ...rest }, rule, operands, n, m, values, own = () => '') => {
      const { shapes, ...told } = laidOut(vocabulary.rules[rule], operands, n, m);
      const output = vocabulary.rules[rule].returnsEach ? n % shapes.length : 0;
      return {
        ...{ rule, op: op.name, notation: op.notation, result: op.result, dtype, fmod, direction, promote: '', output },
        ...rest,
        ...{ axis: '', target: null, mapping: '', ...told },
        at: [n - 1, m - 2],
        operands: shapes.map((shape, i) => {
          const type = own(i) || typeOf(i, dtype);
          return { shape, dtype: type, own: own(i), ...values(types[type], shape, i) };
        }),
      };
    };
    const listed = (text) => ({ kind: 'list', text });

    variantsOf(op).forEach((variant, v) => {
      const name = [op.name, ...Object.values(variant)].join(' ');
      const n = special(types[variant.dtype]).length;
      kinds.forEach((kind, k) => {
        // Of every type to every other one: the other kinds take turns.
        if (op.attribute === 'to' && kind !== 'special' && k !== 1 + (v % (kinds.length - 1))) return;
        // Rules take turns, so that each comes with every operator, and in time with every kind.
        const turn =
          kind === 'special' && op.rules.includes('numpy') ? ['numpy'] : op.rules.filter((name) => name !== 'numpy');
        const rule = turn[(v + k) % turn.length];
        const least = Math.max(op.leastOperands, vocabulary.rules[rule].leastOperands);
        const operands = Math.min(mostOf(rule), Math.max(least, op.mostOperands === null ? 2 + (v % 2) : 0));
        const given = {
          special: (type, shape, i) => listed(nested(cycled(special(type), shape, i), shape)),
          pasted: (type, shape, i) => listed(pasted(v + i, cycled(special(type).toReversed(), shape, i), shape)),
          counting: () => ({ kind: 'counting', text: '' }),
          random: (type, shape, i) => ({ kind: 'random', text: `${v}${i || ''}` }),
          constant: (type, shape, i) => ({
            kind: i === 1 ? 'counting' : 'constant',
            text: i === 1 ? '' : special(type)[(v + 2) % special(type).length],
          }),
        }[kind];
        // Of one operand each value comes up once down the rows, and the list stays short enough for a link.
        const [rows, columns] =
          kind === 'special' ? [n, op.mostOperands === 1 ? 2 : n] : kind === 'pasted' ? [3, Math.min(n, 6)] : [3, 4];
        ask(`${name} ${kind}`, question(variant, rule, operands, rows, columns, given));
      });
    });

    // A type that one operand alone may have: Pow's exponent.
    op.follows.forEach((follows, i) => {
      if (follows || op.types[i].length === 1) return;
      for (const { dtype } of variantsOf(op)) {
        for (const other of op.types[i]) {
          const small = (type) => {
            if (integer.exec(type.name))
              return type.kind === 'signed'
                ? ['0', '1', '2', '3', '-1', '-2', '5']
                : ['0', '1', '2', '3', '4', '5', '7'];
            return ['0', '1', '2', '3', '-1', '-2', '0.5'];
          };
          const own = (operand) => (operand === i ? other : '');
          const values = (type, shape, operand) => listed(nested(cycled(small(type), shape, operand), shape));
          ask(`${op.name} ${dtype} by ${other}`, question({ dtype }, 'numpy', 2, 7, 7, values, own));
        }
      }
    });
  }

  // Mixed types under promotion, where the result is a type of 16 bits: such results are arrays of their own.
  const promoted = vocabulary.ops.Mul;
  for (const a of promoted.types[0]) {
    for (const b of promoted.types[1]) {
      const common = bl.commonType(a, b);
      if (a !== b && types[common]?.kind === 'float' && types[common].bits === 16)
        ask(`Mul ${a} with ${b}`, {
          ...{
            rule: 'numpy',
            op: 'Mul',
            notation: promoted.notation,
            result: 'first',
            dtype: a,
            fmod: '',
            direction: '',
          },
          ...{ promote: 'numpy2', output: 0, axis: '', target: null, mapping: '', at: [4, 3], computed: common },
          operands: [
            { shape: [5, 1], dtype: a, own: '', kind: 'list', text: nested(special(types[a]).slice(0, 5), [5, 1]) },
            { shape: [5], dtype: b, own: b, kind: 'list', text: nested(special(types[b]).slice(0, 5), [5]) },
          ],
        });
    }
  }
  return asked;
}

// What a question is, in few letters: an answer is to this very question or to none.
export const digest = (question) => createHash('sha256').update(JSON.stringify(question)).digest('hex').slice(0, 10);

// The address of a question; `mark` comes back in what the page says that it shows.
export function addressOf(question, mark) {
  const text = (shape) => `(${shape.join(',')}${shape.length === 1 ? ',' : ''})`;
  const parts = { v: 1, rule: question.rule, op: question.op, type: question.dtype };
  const given = Object.entries(parts).map(([key, value]) => `${key}=${value}`);
  for (const { shape } of question.operands) given.push(`in=${text(shape)}`);
  given.push(`t=${question.operands.map(({ own }) => own).join(',')}`);
  for (const { kind, text: said } of question.operands) given.push(`x=${kind}:${encodeURIComponent(said)}`);
  for (const key of ['axis', 'mapping', 'fmod', 'direction', 'to', 'saturate', 'promote'])
    if (question[key]) given.push(`${key}=${question[key]}`);
  if (question.target) given.push(`target=${text(question.target)}`);
  given.push(`at=${question.at.join(',')}`, `output=${question.output}`, `seed=${mark}`);
  return given.join('&');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const all = await questions();
  console.log(JSON.stringify(all.map((question) => ({ ...question, digest: digest(question) }))));
}
