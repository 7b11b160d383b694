// Links: every state is restored from its fragment, and old links still open.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { drawing, imported } from './modules.mjs';
import { answer, openPlayground, saidBy } from './playground.mjs';

const { toFragment, fromFragment, firstState, longestLinked, valuesKinds } = await imported('state/state.ts');

let playground;
before(async () => (playground = await openPlayground()));
after(() => playground.close());

const letters = [...'abcXYZ0123456789()[]{},.:;=&%#+?/\\"\'<>| \t\n-_é½中', '\u{1f9f5}', '%2C', 'x=', 'v=9'];

function drawnState(draw) {
  const text = (most) => Array.from({ length: draw(most + 1) }, () => letters[draw(letters.length)]).join('');
  const one = (...choices) => choices[draw(choices.length)];
  const sparse = (make) => (draw(3) === 0 ? make() : '');
  const index = () => draw(1000) * draw(1_000_000);
  const indices = () => Array.from({ length: draw(5) }, index);
  return {
    rule: one('numpy', 'pdpd', 'explicit', text(9)),
    op: one('Add', 'Broadcast', text(9)),
    dtype: one('f32', 'i64', text(4)),
    replaced: null, // Links do not hold it.
    promote: one('', '', 'numpy2', text(4)),
    operands: Array.from({ length: 1 + draw(9) }, () => {
      const kind = one('counting', ...valuesKinds);
      return {
        name: sparse(() => text(12)).slice(0, 32),
        shape: one('(2, 3)', '()', text(20)),
        dtype: sparse(() => one('u8', text(4))),
        values: { kind, text: kind === 'counting' ? '' : draw(40) === 0 ? '1,'.repeat(longestLinked) : text(60) },
      };
    }),
    axis: sparse(() => text(5)),
    target: sparse(() => text(9)),
    mapping: sparse(() => text(9)),
    fmod: one('', '1'),
    direction: one('', 'left', text(4)),
    byName: one('', '1'),
    to: one('', 'u8', text(4)),
    saturate: one('', '1'),
    at: indices(),
    rows: one(null, draw(8)),
    columns: one(null, draw(8)),
    slices: one(null, draw(8)),
    look: one(null, { row: (1000 * index() + draw(1000)) / 1000, column: index(), scale: (100 + draw(100_000)) / 100 }),
    shown: one(null, draw(9)),
    pin: one(null, { kind: 'result', index: indices() }, { kind: 'source', operand: draw(9), index: indices() }),
    output: one(0, draw(8)),
    expect: one('', 'outer', 'outer,axis_names', text(4)),
    step: one('', 'aligned', text(4)),
    view: one('', 'rules', 'gallery', 'predict', text(5)),
    only: one('', 'pdpd,fails', text(9)),
    level: one(0, draw(20)),
    seed: one(0, index()),
  };
}

// What a link cannot hold: typed lists that are too long; and what it need not, a filter with no view open. Of a file
// there is but the name anyway.
const held = (state) => ({
  ...state,
  only: state.view ? state.only : '',
  operands: state.operands.map((operand) =>
    operand.values.kind === 'list' && operand.values.text.length > longestLinked
      ? { ...operand, values: { kind: 'list', text: '' } }
      : operand,
  ),
});

test('2000 random states are restored from their fragments', () => {
  const draw = drawing(3);
  for (let i = 0; i < 2000; ++i) {
    const state = drawnState(draw);
    const fragment = toFragment(state);
    assert.deepEqual(fromFragment(`#${fragment}`), held(state), fragment);
    assert.equal(toFragment(fromFragment(fragment)), fragment);
    // An address may hold it as it is.
    assert.doesNotMatch(fragment, /[\s\u0000-\u001f\u007f-\uffff#]/);
    assert.equal(new URL(`http://localhost/#${fragment}`).hash, `#${fragment}`.replace(/["<>`]/g, encodeURIComponent));
  }
});

test('links from before operands had names, types and values still work', () => {
  const links = [
    'v=1&rule=numpy&op=Add&type=f32&in=(4,1)&in=(6,)&at=1,2',
    'v=1&rule=pdpd&op=Mul&type=i32&in=(2,3,4,5)&in=(3,4)&axis=1&at=1,2,3,4&rows=1&columns=2',
    'v=1&rule=explicit&op=Broadcast&type=i16&in=(3,+4)&target=(2,+3,+4,+5)&mapping=[1,2]',
    'v=1&rule=sonnx&op=Broadcast&type=f32&in=(1,3)&in=(2,1)&in=()&output=1',
    'v=1&rule=numpy&op=Mod&type=f32&in=2+3%26%23%2B%2541%C3%A9;=&in=[2,+3&fmod=1',
    'v=1&rule=numpy&op=BitShift&type=u8&in=&in=()&direction=left',
  ];
  for (const link of links) {
    const state = fromFragment(link);
    assert.equal(toFragment(state), link);
    for (const { name, dtype, values } of state.operands)
      assert.deepEqual({ name, dtype, values }, { name: '', dtype: '', values: { kind: 'counting', text: '' } });
    assert.equal(state.promote, '');
  }
});

test('links leave out defaults, and are readable', () => {
  const [a, b] = firstState.operands;
  const named = { ...a, name: 'mask' };
  const drawn = { ...b, name: 'scores, raw', dtype: 'f16', values: { kind: 'random', text: '7' } };
  assert.equal(
    toFragment({ ...firstState, operands: [named, drawn, a], at: [], expect: '' }),
    'v=1&rule=numpy&op=Add&type=f32&in=(4,+1)&in=(6,)&in=(4,+1)&n=mask,scores%2C+raw&t=,f16&x=&x=random:7',
  );
});

test('unknown, doubled and broken keys in links are harmless', () => {
  for (const [more, values] of [
    ['x=nonsense:1', { kind: 'counting', text: '' }],
    ['x=random', { kind: 'random', text: '' }],
    ['x=constructor:1', { kind: 'counting', text: '' }],
    ['x=list:%zz', { kind: 'list', text: '%zz' }],
    [`x=${'y'.repeat(9000)}`, { kind: 'counting', text: '' }],
    ['n=&t=&x=', { kind: 'counting', text: '' }],
    [`n=${'a,'.repeat(9000)}`, { kind: 'counting', text: '' }],
  ]) {
    const state = fromFragment(`v=1&rule=numpy&op=Add&type=f32&in=2&in=3&${more}`);
    assert.equal(state.operands.length, 2);
    assert.deepEqual(state.operands[0].values, values, more.slice(0, 40));
  }
});

test('a view in a link is three numbers, or ignored', () => {
  const lookIn = (text) => fromFragment(`v=1&in=2&look=${text}`).look;
  assert.deepEqual(lookIn('4995,6994.5,97.25'), { row: 4995, column: 6994.5, scale: 97.25 });
  for (const text of [
    '',
    '1',
    '1,2',
    '1,2,3,4',
    'a,b,c',
    '-1,2,3',
    '1,,3',
    '1e9,2,3',
    'NaN,0,1',
    '1,2,3;',
    `${'9'.repeat(40)},1,1`,
  ])
    assert.equal(lookIn(text), null, text);
});

test('a link opens with names, types and values', async () => {
  const link =
    'v=1&rule=numpy&op=Mul&type=f32&in=(2,1)&in=(2,2)&n=mask,scores&x=constant:0.5&x=list:[[1,2],[3,4]]&at=1,1';
  const page = await playground.open(link);
  const { arithmetic } = await answer(page);
  assert.equal(arithmetic, 'out[1, 1] = mask[1, 0] * scores[1, 1] = 0.5 * 4 = 2');
  await page.context().close();
});

test('the button says which values the link leaves out', async () => {
  const page = await playground.open('v=1&rule=numpy&op=Add&type=f32&in=(2)&in=()&n=bias', {
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  await saidBy(page, '#copy-link', /^Link copied$/);
  await page.click('#details-0');
  await page.selectOption('#values-0', 'list');
  await page.fill('#list-0', `[${'0.123456789, '.repeat(300)}]`);
  await page.waitForFunction(() => document.querySelector('#operand-0').value === '(300,)');
  assert.match(await page.innerText('.details'), /Too long for a link/);
  await saidBy(page, '#copy-link', /without the values of bias/);
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(copied, /&x=list$/);
  const again = await playground.open(new URL(copied).hash.slice(1));
  assert.match((await answer(again)).headline, /^The values of bias do not fit/);
  await page.context().close();
  await again.context().close();
});

test('an address that is opened before the last state is written wins', async () => {
  const page = await playground.open('v=1&rule=numpy&op=Add&type=f32&in=(4,1)&in=(6,)', {
    before: () => {
      // What the page does after a while is done when this test says so.
      const late = [];
      const { setTimeout } = window;
      window.setTimeout = (work, wait, ...rest) => (wait >= 100 ? late.push(work) : setTimeout(work, wait, ...rest));
      window.doWhatIsLate = () => late.splice(0).forEach((work) => work());
    },
  });
  await page.fill('#operand-0', '(5, 1)');
  await page.waitForFunction(() => document.querySelector('#result-shape')?.innerText.trim() === '(5, 6)');
  await page.evaluate(() => {
    location.hash = 'v=1&rule=numpy&op=Add&type=f32&in=(7,1)&in=(6,)';
    // Before the event that tells of it.
    window.doWhatIsLate();
  });
  await page.waitForFunction(() => document.querySelector('#result-shape')?.innerText.trim() === '(7, 6)');
  assert.match(await page.evaluate(() => location.hash), /in=\(7,\+?1\)/);
  // What is changed afterwards is written again.
  await page.fill('#operand-0', '(8, 1)');
  await page.waitForFunction(() => document.querySelector('#result-shape')?.innerText.trim() === '(8, 6)');
  await page.evaluate(() => window.doWhatIsLate());
  assert.match(await page.evaluate(() => location.hash), /in=\(8,\+1\)/);
  await page.context().close();
});

test('no errors on the console, none thrown, no requests to other origins', () =>
  assert.deepEqual(playground.faults, []));
