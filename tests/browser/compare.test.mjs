// The comparison of all rules: each line against the package's own answers, the elements that results are made of against a
// search of every cell, and the exported texts read back. In Node through the page's own model.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, describe, test } from 'node:test';
import { load } from 'broadloom';
import { inRoot } from '../../scripts/paths.mjs';
import { drawing, imported } from './modules.mjs';

// The page's store asks these as it is loaded.
globalThis.document ??= { documentElement: { dataset: {} } };
globalThis.location ??= { hash: '', href: 'http://localhost/' };
globalThis.localStorage ??= { getItem: () => null, setItem() {} };

const page = await imported('../../tests/browser/page-model.ts');
const core = await page.loadEngine();
await core.loadExplanations();

let bl;
let rules;
before(async () => {
  bl = await load();
  await bl.loadExplanations();
  rules = Object.values(bl.vocabulary.rules);
});

const textOf = (shape) => `(${shape.join(', ')}${shape.length === 1 ? ',' : ''})`;
const fragmentOf = (shapes, { rule = 'numpy', op = 'Max', more = '' } = {}) =>
  `#v=1&rule=${rule}&op=${op}&type=u8&${shapes.map((shape) => `in=${textOf(shape)}`).join('&')}${more}`;
const modelOf = (shapes, options) => page.compute(core, page.fromFragment(fragmentOf(shapes, options)));
const product = (shape) => shape.reduce((a, b) => a * b, 1);

// The index of a cell, by its number.
function indexOf(cell, shape) {
  const index = [];
  for (let axis = shape.length - 1, left = cell; axis >= 0; --axis) {
    index.unshift(left % shape[axis]);
    left = Math.floor(left / shape[axis]);
  }
  return index;
}

// Whether each cell of two alignments reads the same elements of the operands that both have.
function sameElements(one, other) {
  const operands = Math.min(one.operands.length, other.operands.length);
  for (let cell = 0; cell < product(one.shape); ++cell) {
    const index = indexOf(cell, one.shape);
    for (let i = 0; i < operands; ++i)
      if (String(one.sourceOf(i, index)) !== String(other.sourceOf(i, index))) return false;
  }
  return true;
}

// What the package answers to what a row says that it asked.
function askedAgain(shapes, { rule, asksTarget, axis, axesMapping }) {
  const options = {
    dtype: 'u8',
    ...(axis === null ? {} : { axis }),
    ...(axesMapping === null ? {} : { axesMapping }),
    ...(asksTarget ? { targetShape: shapes[1] } : {}),
  };
  try {
    return { alignment: bl.align(rule, asksTarget ? shapes.slice(0, 1) : shapes, options) };
  } catch (error) {
    return { error };
  }
}

const increasing = (rank, from, below) =>
  rank === 0
    ? [[]]
    : Array.from({ length: Math.max(0, below - from) }, (_, i) => from + i).flatMap((first) =>
        increasing(rank - 1, first + 1, below).map((rest) => [first, ...rest]),
      );

// Every row of the comparison of these shapes; counts what it met.
function check(shapes, seen) {
  const name = shapes.map(textOf).join(' ');
  const { rows, mappings, axesLeftOut } = bl.align('sonnx', shapes, { dtype: 'u8' }).compare();
  assert.equal(axesLeftOut, 0, name);
  const answers = rows.map((row) => askedAgain(shapes, row));
  rows.forEach((row, i) => {
    const { alignment, error } = answers[i];
    const where = `${name}: row ${i}, ${row.rule}`;
    assert.equal(row.fits, alignment?.shape != null, where);
    if (!row.fits) {
      ++seen.refused;
      const own = error ?? alignment.error;
      assert.equal(row.error.code, own.code, where);
      assert.equal(row.error.message, own.message, where);
      const clashing = alignment?.axes.filter(({ conflict }) => conflict) ?? [];
      assert.equal(row.error.clashes, clashing.length, where);
      assert.equal(row.error.why, clashing[0]?.why ?? null, where);
      assert.deepEqual([row.shape, row.sameAs, row.differs], [null, null, null], where);
      return;
    }
    assert.equal(row.error, null, where);
    assert.deepEqual(row.shape, alignment.shape, where);
    assert.equal(row.startAxis, alignment.startAxis, where);
    const cited = new Set(
      alignment.axes.flatMap(({ cells, target }) =>
        [...cells, ...(target ? [target] : [])].map(({ clause }) => clause),
      ),
    );
    assert.deepEqual(new Set(row.clauses), new Set([...cited].filter(Boolean)), where);
    // The rows of the same shape before.
    const alike = rows.flatMap((other, j) =>
      j < i && other.fits && String(other.shape) === String(row.shape) ? [j] : [],
    );
    const same = alike.find((j) => sameElements(alignment, answers[j].alignment));
    assert.equal(row.sameAs, same ?? null, where);
    if (alike.length === 0 || same !== undefined) {
      if (same !== undefined) ++seen.same;
      assert.equal(row.differs, null, where);
      return;
    }
    ++seen.differs;
    const { row: other, operand, cell, source, otherSource } = row.differs;
    assert.equal(other, alike[0], where);
    assert.deepEqual(alignment.sourceOf(operand, cell), source, where);
    assert.deepEqual(answers[other].alignment.sourceOf(operand, cell), otherSource, where);
    assert.notDeepEqual(source, otherSource, where);
  });
  // Every rule, every axis and every mapping has its row.
  assert.deepEqual(
    [...new Set(rows.map(({ rule }) => rule))],
    rules.map((row) => row.name),
    name,
  );
  const axes = rows.filter(({ rule }) => rule === 'pdpd').map(({ axis }) => axis);
  if (shapes.length > 1)
    assert.deepEqual(axes, [null, ...Array.from({ length: shapes[0].length + 1 }, (_, axis) => axis)], name);
  if (shapes.length < 2) return;
  const fitting = increasing(shapes[0].length, 0, shapes[1].length).filter(
    (axesMapping) =>
      askedAgain(shapes, { rule: 'explicit', asksTarget: true, axis: null, axesMapping }).alignment.shape,
  );
  assert.equal(mappings.count, fitting.length, name);
  assert.equal(mappings.listed, Math.min(5, fitting.length), name);
  const listed = rows.filter(({ rule, fits }) => rule === 'explicit' && fits).map(({ axesMapping }) => axesMapping);
  assert.deepEqual(listed, fitting.slice(0, 5), name);
  seen.mappings += fitting.length;
}

describe('the core', () => {
  test('the shapes of the corpora under all rules, and every cell', () => {
    const seen = { refused: 0, same: 0, differs: 0, mappings: 0, questions: 0 };
    const known = new Set();
    for (const file of [
      'seed_examples',
      'disputed',
      'broadcast',
      'broadcast_mixed',
      'elementwise',
      'elementwise_pdpd',
    ]) {
      const lines = readFileSync(inRoot('tests/conformance', `${file}.jsonl`), 'utf8')
        .trim()
        .split('\n');
      for (const line of lines) {
        const { inputs, target_shape: target } = JSON.parse(line);
        if (!Array.isArray(inputs) || inputs.length === 0) continue;
        const shapes = [
          ...inputs.map((input) => (Array.isArray(input) ? input : input?.shape)),
          ...(target ? [target] : []),
        ];
        const isPlain = (shape) =>
          Array.isArray(shape) &&
          shape.length <= 5 &&
          shape.every((one) => Number.isInteger(one) && one >= 0 && one <= 60);
        if (!shapes.every(isPlain) || product(shapes.flat().map((one) => Math.max(1, one))) > 20_000_000) continue;
        const key = JSON.stringify(shapes);
        if (known.has(key) || known.size >= 900) continue;
        known.add(key);
        const result = bl.align('sonnx', shapes).shape;
        if (result && product(result) > 3000) continue;
        check(shapes, seen);
        ++seen.questions;
      }
    }
    assert.ok(seen.questions > 50 && seen.refused > 200 && seen.same > 200, JSON.stringify(seen));
  });

  test('random shapes that fit in several places', () => {
    const seen = { refused: 0, same: 0, differs: 0, mappings: 0 };
    const draw = drawing(19);
    for (let i = 0; i < 1500; ++i) {
      const extents = draw(3) === 0 ? [0, 1, 2, 3] : [1, 3, 3, 3];
      const a = Array.from({ length: draw(5) }, () => extents[draw(4)]);
      const start = draw(a.length + 1);
      const b = a.slice(start, start + 1 + draw(3)).map((extent) => (draw(4) === 0 ? 1 : extent));
      const shapes = [[a, b], [b, a], [a, a], [a, b, b], [a]][draw(5)];
      check(shapes, seen);
    }
    for (const [what, count] of Object.entries(seen)) assert.ok(count > 100, `${what}: ${count}`);
  });

  // None is tried one by one: of the second there are more than anything could try.
  test('many mappings are counted, many axes left out', () => {
    const two = (rank) => Array(rank).fill(2);
    const eight = bl.align('sonnx', [two(8), two(16)]).compare();
    assert.deepEqual(eight.mappings, { count: 12870, listed: 5 });
    const most = bl.align('sonnx', [Array(400).fill(1), Array(900).fill(1)]).compare();
    assert.deepEqual(most.mappings, { count: '9223372036854775807', listed: 5 });
    assert.equal(most.axesLeftOut, 401 - 32);
  });

  test('what has no comparison is an error', () => {
    assert.throws(() => bl.align('sonnx', [[2, -1], [3]]).compare(), { code: 'extent' });
    assert.throws(() => bl.align('sonnx', []).compare(), { code: 'arity' });
  });
});

describe('the lines of the page', () => {
  test('each line, applied, gives what it says', () => {
    const draw = drawing(7);
    let applied = 0;
    for (let i = 0; i < 200; ++i) {
      const a = Array.from({ length: 1 + draw(4) }, () => [1, 2, 3, 3][draw(4)]);
      const start = draw(a.length);
      const b = a.slice(start, start + 1 + draw(2)).map((extent) => (draw(4) === 0 ? 1 : extent));
      const target = draw(3) === 0;
      const options = target
        ? { rule: 'explicit', op: 'Broadcast', more: `&target=${textOf(a)}` }
        : { rule: ['numpy', 'pdpd'][draw(2)], more: draw(2) === 0 ? '' : `&axis=${start}` };
      const model = modelOf(target ? [b] : [a, b], options);
      const compared = page.compareRules(core, model);
      for (const { rule, asked, shape, next, row, whole, inUse } of compared.lines) {
        if (!next) continue;
        ++applied;
        const where = `${textOf(a)} ${textOf(b)} ${rule.name}: ${asked}`;
        const after = page.compute(core, next);
        assert.equal(next.rule, rule.name, where);
        assert.equal(whole, rule.takesTarget === target, where);
        if (inUse) assert.equal(model.state.rule, rule.name, where);
        if (shape) {
          assert.equal(after.failure, null, `${where}: ${after.failure?.message}`);
          assert.deepEqual(after.alignment.output.map(Number), shape.map(Number), where);
        } else if (row.error.code === 'incompatible') assert.notEqual(after.failure, null, where);
      }
    }
    assert.ok(applied > 2000, `${applied}`);
  });

  test('target rules say that they take A alone, and the default axis of PDPD is named', () => {
    const { lines, note } = page.compareRules(core, modelOf([[2, 3, 3], [3]]));
    const asked = (name) => lines.filter(({ rule }) => rule.name === name).map((line) => line.asked);
    assert.deepEqual(asked('bidirectional'), ['A alone, B as the target']);
    assert.deepEqual(asked('pdpd'), ['default axis -1, here axis 2', 'axis 0', 'axis 1', 'axis 2', 'axis 3']);
    assert.equal(note, 'Rules that take a target are given A alone, with B as the target.');
    const other = lines.find((line) => line.asked === 'axis 1');
    assert.equal(other.sources.says, 'other elements than NumPy: out[0, 1, 0] comes from B[1], under NumPy from B[0]');
    const three = page.compareRules(core, modelOf([[2, 3], [3], [3]], { op: 'Sum' }));
    assert.match(three.note, /; C left out\.$/);
  });

  test('more mappings than are listed have one line with their number', () => {
    const model = modelOf([Array(8).fill(2)], {
      rule: 'explicit',
      op: 'Broadcast',
      more: `&target=${textOf(Array(16).fill(2))}`,
    });
    const lines = page.compareRules(core, model).lines.filter(({ rule }) => rule.name === 'explicit');
    assert.equal(lines.length, 6);
    assert.equal(lines.at(-1).asked, '12,865 more mappings');
    assert.equal(lines.at(-1).next, null);
  });

  test('a dead end leads somewhere: each proposal of a target works', () => {
    const draw = drawing(3);
    let proposed = 0;
    for (let i = 0; i < 300; ++i) {
      const shape = () => Array.from({ length: draw(5) }, () => [0, 1, 2, 6][draw(4)]);
      const rule = ['explicit', 'bidirectional', 'broadcast_numpy'][draw(3)];
      const more = draw(2) === 0 ? '' : `&target=${textOf(shape())}`;
      const model = modelOf([shape(), shape()], { rule, op: 'Broadcast', more });
      const proposals = page.proposalsFor(core, model);
      if (more === '') assert.ok(proposals.length > 0, page.toFragment(model.state));
      for (const { target, result, next } of proposals) {
        ++proposed;
        const after = page.compute(core, next);
        assert.equal(after.failure, null, `${page.toFragment(next)}: ${after.failure?.message}`);
        assert.equal(textOf(after.alignment.output), result, target);
      }
    }
    assert.ok(proposed > 150, `${proposed}`);
    // From the page's first state.
    const first = page.compute(
      core,
      page.fromFragment('#v=1&rule=explicit&op=Broadcast&type=f32&in=(4,1)&in=(6,)&target=(6,)'),
    );
    assert.deepEqual(
      page.proposalsFor(core, first).map(({ target, mapping }) => `${target} ${mapping}`),
      ['(4, 6) [0, 1]', '(6, 4, 1) [1, 2]', '(2, 4, 1) [1, 2]'],
    );
  });
});

describe('references', () => {
  test('every clause has a place and a public address, every rule a row', () => {
    for (const clause of Object.values(bl.vocabulary.clauses)) {
      const { place, address } = page.referenceOf(clause);
      assert.ok(place, clause.name);
      assert.match(address, /^https:\/\/(docs\.openvino\.ai|github\.com\/onnx)\//, clause.name);
      // ONNX numbers nothing.
      if (clause.document === 'onnx_broadcasting') assert.doesNotMatch(place, /\d/);
    }
    assert.deepEqual(Object.keys(page.usedAs).sort(), rules.map(({ name }) => name).sort());
    for (const { address } of Object.values(page.guides)) assert.match(address, /^https:/);
  });

  test('the systems of divergences are those that the page can filter by, and docs name them', () => {
    const { divergences } = bl.align('numpy', [[2], [2]]).compare();
    const ids = page.systems.map(([id]) => id);
    const documented = readFileSync(inRoot('docs/divergences.md'), 'utf8');
    const names = { onnxruntime: /ONNX/, openvino: /OpenVINO|Broadcast-3/, paddle: /Paddle/, numpy: /NumPy/ };
    for (const { title, systems, clauses } of divergences) {
      const own = documented.split('\n').find((each) => each.startsWith(`| ${title} |`));
      // Of the documents only the rules' clauses; numbers have none.
      const cited = [...own.matchAll(/`([a-z_]+[a-z0-9_.]*\.\w+)`/gi)].map(([, name]) => name);
      const known = cited.filter((name) => Object.hasOwn(bl.vocabulary.clauses, name));
      assert.deepEqual([...clauses].sort(), known.sort(), title);
      for (const id of systems) {
        assert.ok(ids.includes(id), id);
        const line = documented.split('\n').find((each) => each.startsWith(`| ${title} |`));
        assert.match(line ?? '', names[id], `${title}: ${id}`);
      }
    }
    for (const id of ids)
      assert.ok(
        divergences.some(({ systems }) => systems.includes(id)),
        id,
      );
  });
});

// RFC 4180, read anew.
function csvFrom(text) {
  const rows = [];
  let row = [];
  let at = 0;
  while (at < text.length) {
    let value = '';
    if (text[at] === '"') {
      for (++at; text[at] !== '"' || text[at + 1] === '"'; ++at) {
        if (text[at] === '"') ++at;
        value += text[at];
      }
      ++at;
    } else for (; !',\r'.includes(text[at]); ++at) value += text[at];
    row.push(value);
    if (text[at] === '\r') {
      rows.push(row);
      row = [];
      at += 2;
    } else ++at;
  }
  return rows;
}

describe('exports', () => {
  const hostile = ['=HYPERLINK("http://x","y")', '| a | <b>`*_[x](y)', '"quoted", and, commas', '-2+3', '@SUM(1)'];
  const exported = (more = '') => {
    const model = page.compute(core, page.fromFragment(`#v=1&rule=numpy&op=Add&type=f32&in=(2,3,3)&in=(3)${more}`));
    const compared = page.compareRules(core, model);
    const { clauses, documents } = core.vocabulary;
    const { lines } = compared;
    return {
      lines,
      csv: page.comparisonCsv(compared, lines, clauses),
      md: page.comparisonMarkdown(compared, lines, null, clauses, documents, 'http://localhost/#v=1&in=(2,3)'),
    };
  };

  test('CSV, read back, has every line', () => {
    for (const more of ['', ...hostile.map((name) => `&n=${encodeURIComponent(name)},${encodeURIComponent(name)}`)]) {
      const { lines, csv } = exported(more);
      const [head, ...rows] = csvFrom(csv);
      assert.equal(rows.length, lines.length);
      rows.forEach((cells, i) => {
        assert.equal(cells.length, head.length, more);
        const of = (name) => cells[head.indexOf(name)];
        const { rule, row, shape, clauses } = lines[i];
        assert.equal(of('rule'), rule.name);
        assert.equal(of('axis'), row?.axis == null ? '' : String(row.axis));
        assert.equal(of('fits'), shape ? 'yes' : 'no');
        assert.equal(of('result'), shape ? textOf(shape) : '');
        assert.equal(of('clauses'), clauses.join(' '));
        // Nothing that a spreadsheet would compute.
        for (const cell of cells) assert.doesNotMatch(cell, /^[=+@\t]|^-(?!\d+$)/);
      });
    }
  });

  test('Markdown, read back, has every line, and nothing that was typed is markup', () => {
    for (const more of ['', ...hostile.map((name) => `&n=${encodeURIComponent(name)},${encodeURIComponent(name)}`)]) {
      const { lines, md } = exported(more);
      const rows = md.split('\n').filter((line) => line.startsWith('| '));
      assert.equal(rows.length, lines.length + 2, more);
      for (const row of rows) assert.equal(row.split(/(?<!\\)\|/).length, 8, row);
      lines.forEach(({ rule, shape }, i) => {
        const [, title, , result] = rows[i + 2].split(/(?<!\\)\|/).map((cell) => cell.trim());
        assert.equal(title, rule.title);
        if (shape) assert.equal(result, `**${textOf(shape)}**`);
      });
      assert.doesNotMatch(md, /(?<!\\)<b>|(?<!\\)\[x\]\(y\)/);
      assert.match(md, /\[OpenVINO: Broadcast Rules For Elementwise Operations\]\(https:\/\/docs\.openvino\.ai/);
      assert.match(md, /\[Open in Broadloom\]\(http:\/\/localhost\/#v=1&in=%282,3%29\)/);
    }
  });
});

describe('the gallery', () => {
  const all = page.sectionsOf(core).flatMap(({ examples }) => examples);

  test('where people trip comes first, and no question is shown twice', () => {
    assert.equal(page.sectionsOf(core)[0].id, 'mistakes');
    const asked = all.map(({ rule, shapes, axis, target, mapping, op, values }) =>
      JSON.stringify([rule, shapes, axis, target, mapping, op, values]),
    );
    assert.equal(new Set(asked).size, asked.length);
    assert.equal(new Set(all.map(({ id }) => id)).size, all.length);
  });

  test('search finds titles, shapes however they are spaced, rules and tags', () => {
    const found = (words) => all.filter((example) => page.hasWords(core, example, words)).map(({ id }) => id);
    assert.equal(found('').length, all.length);
    assert.ok(found('logits').includes('x033'));
    assert.deepEqual(found('(8,3)'), found('(8, 3)'));
    assert.ok(found('(8, 3)').includes('g001'));
    assert.ok(found('PDPD axis 1').every((id) => all.find((example) => example.id === id).rule === 'pdpd'));
    assert.ok(found('attention').length >= 9);
    assert.deepEqual(found('no such thing'), []);
    for (const text of ['((((', '[)(]', '\\', '.*', 'a'.repeat(10_000), '\u0000', '(((((1,'.repeat(500)]) found(text);
    for (const example of all)
      assert.ok(page.hasWords(core, example, `${example.title ?? ''} ${example.shapes.join(' ')}`), example.id);
  });
});
