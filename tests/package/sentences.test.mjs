// Every sentence of the package and of the command is parsed and compared with the alignment's cells, and every repair
// that they offer is applied.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { main } from '../../build/package-sources/cli/main.js';
import { readTerminal } from '../../build/package-sources/cli/terminal.js';
import {
  aligned,
  faultsInVerdict,
  faultsInWhy,
  questions,
  rules,
  seed,
  shapeOf,
  takes,
  textOf,
  titleOf,
} from './sentences.mjs';

test('each sentence of the package is true of the cells', () => {
  const next = questions(seed);
  let fitting = 0;
  for (let i = 0; i < 3000; ++i) {
    const question = next();
    const alignment = aligned(question);
    for (const axis of alignment.axes)
      assert.deepEqual(faultsInWhy(axis, axis.why), [], `${titleOf(question)}, axis ${axis.axis}: ${axis.why}`);
    if (alignment.shape === null) continue;
    ++fitting;
    assert.deepEqual(faultsInVerdict(alignment, alignment.verdict), [], `${titleOf(question)}: ${alignment.verdict}`);
    if (alignment.growsBoth) assert.ok(!alignment.shape.includes(0), titleOf(question));
  }
  assert.ok(fitting > 500, `${fitting} fit`);
});

const argsOf = ({ rule, shapes, target, axis, mapping }) => [
  ...shapes.map(textOf),
  '--rule',
  rule,
  ...(target ? ['--target', target.length > 0 ? target.join(',') : '()'] : []),
  ...(axis === undefined ? [] : ['--axis', String(axis)]),
  ...(mapping ? ['--mapping', mapping.length > 0 ? mapping.join(',') : '[]'] : []),
];

async function ask(args) {
  const { status, out, err } = await main(args, readTerminal({ env: {}, platform: 'linux', stdout: {} }), () => '');
  return { status, lines: out, err };
}

const shapeIn = (text) => (text.match(/-?\d+/g) ?? []).map(Number);

/** The question after applying the change in a line. */
function changed(question, line) {
  let m;
  const of = (name, shape) => ({
    ...question,
    shapes: question.shapes.map((own, i) => (i === name.charCodeAt(0) - 65 ? shapeIn(shape) : own)),
  });
  if ((m = /^transpose ([A-H]) to (.*)$/.exec(line))) return of(m[1], m[2]);
  if ((m = /^reshape ([A-H]) to (.*)$/.exec(line))) return of(m[1], m[2]);
  if ((m = /^give ([A-H]) the extents (.*)$/.exec(line))) return of(m[1], m[2]);
  if (line === 'swap A and B') return { ...question, shapes: question.shapes.toReversed() };
  if ((m = /^--target "(.*)"$/.exec(line))) return { ...question, target: shapeIn(m[1]) };
  m = /^(?:--rule (\w+) ?)?(?:--axis (-?\d+) ?)?(?:--mapping "([\d,]*)" ?)?(?:without (.*))?$/.exec(line);
  assert.ok(m, line);
  const [, rule, axis, mapping, without = ''] = m;
  const next = { ...question };
  if (rule) next.rule = rule;
  if (axis) next.axis = Number(axis);
  if (mapping !== undefined) next.mapping = shapeIn(mapping);
  if (/--axis/.test(without)) delete next.axis;
  if (/--mapping/.test(without)) delete next.mapping;
  return next;
}

test("the command's sentences are true, and each change that it offers works", async () => {
  const next = questions(seed + 1);
  let offered = 0;
  for (let i = 0; i < 400; ++i) {
    const question = next();
    const title = titleOf(question);
    const alignment = aligned(question);
    const { status, lines, err } = await ask(argsOf(question));
    assert.equal(status, alignment.shape === null ? 1 : 0, `${title}: ${err}`);
    for (const line of lines) {
      const m = /^axis (\d+): (.*)$/.exec(line);
      if (m) assert.deepEqual(faultsInWhy(alignment.axes[m[1]], m[2]), [], `${title}: ${line}`);
    }
    const at = lines.indexOf('What would work:');
    for (const line of at < 0 ? [] : lines.slice(at + 1)) {
      const [, what, result] = /^ {2}(.*?) +gives (\(.*\))$/.exec(line);
      const after = changed(question, what);
      assert.notDeepEqual(after, question, `${title}: ${line}`);
      assert.deepEqual(shapeOf(after), shapeIn(result), `${title}: ${line}`);
      ++offered;
    }
  }
  assert.ok(offered > 200, `${offered} offered`);
});

test('--all: the rules that fit are those that take the question unchanged, with the named option', async () => {
  const next = questions(seed + 2);
  const seen = { fits: 0, conflict: 0, no: 0 };
  for (let i = 0; i < 300; ++i) {
    const question = next();
    const title = titleOf(question);
    const { lines, err } = await ask([
      ...argsOf(question).filter((arg, k, all) => arg !== '--rule' && all[k - 1] !== '--rule'),
      '--all',
    ]);
    assert.equal(lines.length, rules.length, `${title}: ${err}`);
    for (const line of lines) {
      const [, name, word, rest] = /^(\w+) +(fits|conflict|no) +(.*)$/.exec(line);
      const row = rules.find((rule) => rule.name === name);
      ++seen[word];
      assert.equal(word === 'fits', takes(question, row), `${title}: ${line}`);
      if (word === 'fits') {
        const [, shape, axis, mapping] =
          /^(\(.*?\))(?: with (?:the default, )?(?:--axis (-?\d+)|--mapping "(.*)"))?$/.exec(rest);
        const { shapes, target } = question;
        const own = {
          ...(row.takesAxis ? { axis: axis === undefined ? question.axis : Number(axis) } : {}),
          ...(row.takesMapping ? { mapping: mapping === undefined ? question.mapping : shapeIn(mapping) } : {}),
        };
        assert.deepEqual(shapeOf({ rule: name, shapes, target, ...own }), shapeIn(shape), `${title}: ${line}`);
      } else if (row.takesAxis && word === 'conflict') {
        assert.match(rest, /That is with axis -?\d+; no other axis fits\.$/, title);
      }
    }
  }
  assert.ok(Math.min(...Object.values(seen)) > 200, JSON.stringify(seen));
});
