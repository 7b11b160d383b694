// What the page says of an answer, read back: sentences about axes are true of the alignment's cells, repairs and the table
// of all rules agree, and each of them works when it is followed. In Node through the page's own model, and for a sample in
// Chromium, for what the views alone say. BROADLOOM_SEED=N draws other questions; a failure names its seed.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import {
  aligned,
  comparedExtent,
  faultsInCell,
  faultsInVerdict,
  faultsInWhy,
  questions,
  rules,
  seed,
  shapeOf,
  takes,
  textOf,
  titleOf,
} from '../package/sentences.mjs';
import { faultsInLook } from './gallery-looks.mjs';
import { imported } from './modules.mjs';
import { follow, openPlayground, presets } from './playground.mjs';

// The page's store asks these as it is loaded.
globalThis.document ??= { documentElement: { dataset: {} } };
globalThis.location ??= { hash: '', href: 'http://localhost/' };
globalThis.localStorage ??= { getItem: () => null, setItem() {} };
const page = await imported('../../tests/browser/page-model.ts');
const core = await page.loadEngine();
await core.loadExplanations();

const takesTarget = (rule) => rules.find(({ name }) => name === rule).takesTarget;

const fragmentOf = ({ rule, shapes, target, axis, mapping }) =>
  [
    `v=1&rule=${rule}&op=${rule === 'sonnx' || takesTarget(rule) ? 'Broadcast' : 'Max'}&type=u8`,
    ...shapes.map((shape) => `in=${textOf(shape)}`),
    ...(axis === undefined ? [] : [`axis=${axis}`]),
    ...(target ? [`target=${textOf(target)}`] : []),
    ...(mapping ? [`mapping=[${mapping}]`] : []),
  ].join('&');

const stateOf = (question) => page.fromFragment(`#${fragmentOf(question)}`);
const numbers = (shape) => shape.map(Number);

/** The first `count` questions, or the first that do not fit. */
function* drawn(from, count, clashing = false) {
  const next = questions(from);
  for (let found = 0; found < count;) {
    const question = next();
    // Texts of fields hold no empty target.
    if (question.target?.length === 0) continue;
    if (clashing && shapeOf(question) !== null) continue;
    ++found;
    yield question;
  }
}

describe('through the model', () => {
  test('1,000 clashes: repairs and the table of all rules agree, and each works', () => {
    const seen = { repairs: 0, takers: 0 };
    for (const question of drawn(seed, 1000, true)) {
      const name = titleOf(question);
      const state = stateOf(question);
      const model = page.compute(core, state);
      assert.notEqual(model.failure, null, name);
      const raw = model.alignment.repairs();
      const repairs = page.coreRepairs(core, model);
      assert.equal(repairs.length, raw.length, `${name}: a repair leads nowhere`);
      for (const { repair, next } of repairs) {
        ++seen.repairs;
        assert.ok(!page.sameQuestion(state, next), `${name}: ${repair.kind} is the question itself`);
        const after = page.compute(core, next);
        assert.equal(after.failure, null, `${name}: ${page.toFragment(next)}: ${after.failure?.message}`);
        assert.deepEqual(numbers(after.alignment.output), numbers(repair.result), name);
      }

      const compared = page.compareRules(core, model);
      // A target with -1 is no shape that could be B.
      if (!compared) {
        assert.ok(question.target.includes(-1), name);
        continue;
      }
      const takers = page.takersOf(compared, model);
      for (const row of rules) {
        const taker = takers.find(({ rule }) => rule.name === row.name);
        const line = `${name}: ${row.name}`;
        // Each is what an independent search through all options finds.
        const asked = row.name !== state.rule && row.takesTarget === takesTarget(question.rule);
        assert.equal(taker !== undefined, asked && takes(question, row), line);
        if (!taker) continue;
        ++seen.takers;
        const { next, output, asked: option } = taker;
        const after = page.compute(core, next);
        assert.equal(after.failure, null, `${line}: ${after.failure?.message}`);
        assert.deepEqual(numbers(after.alignment.output), numbers(output), line);
        assert.ok(!page.sameQuestion(state, next), line);
        // An option that the rule has is named.
        if (row.takesAxis) assert.match(option, /^axis -?\d+$/, line);
        if (row.takesMapping) assert.match(option, /^axes_mapping \[/, line);
      }
      const otherRules = raw.filter(({ kind, rule }) => kind === 'change_rule' && rule !== state.rule);
      for (const { rule, result } of otherRules) {
        const taker = takers.find((each) => each.rule.name === rule);
        assert.ok(taker, `${name}: repaired by ${rule}, which takes nothing`);
        assert.deepEqual(numbers(taker.output), numbers(result), name);
      }
      // Five likelier changes may have filled the list.
      if (takers.length > 0 && raw.length < 5)
        assert.ok(
          raw.some(({ kind }) => kind === 'change_rule'),
          `${name}: no repair by a rule`,
        );
    }
    for (const [what, count] of Object.entries(seen)) assert.ok(count > 20, `${what}: ${count}`);
  });

  test("the README's clash: PDPD with axis 1, everywhere", () => {
    const state = page.fromFragment('#v=1&rule=numpy&op=Add&type=f32&in=(2,3,4,5)&in=(3,1)');
    const model = page.compute(core, state);
    const compared = page.compareRules(core, model);
    assert.equal(page.takersText(compared.lines, null), '1 of 9 rules takes these shapes: PDPD with axis 1.');
    assert.deepEqual(
      page.takersOf(compared, model).map(({ rule, asked }) => `${rule.name} ${asked}`),
      ['pdpd axis 1'],
    );
  });

  test('too large for its type: no rule takes it', () => {
    for (const shapes of ['in=(9223372036854775807,)&in=(1,)', 'in=(4611686018427387904,)&in=(1,)']) {
      const model = page.compute(core, page.fromFragment(`#v=1&rule=numpy&op=Add&type=f32&${shapes}`));
      assert.equal(model.failure.class, 'overflow');
      const compared = page.compareRules(core, model);
      assert.deepEqual(page.takersOf(compared, model), []);
      assert.match(page.takersText(compared.lines, null), /^None of the 9 rules/);
      assert.deepEqual(page.coreRepairs(core, model), []);
    }
  });

  test('too large for its type: a smaller element type is offered, and works', () => {
    for (const [shapes, offered] of [
      ['type=f32&in=(3037000499,3037000499)&in=()', ['use elements of i8', 'use elements of u8']],
      ['type=f32&in=(9223372036854775807,)&in=(1,)', ['use elements of i8', 'use elements of u8']],
      ['type=f64&in=(2305843009213693951,)&in=(1,)', ['use elements of f32', 'use elements of i32']],
      ['type=u8&in=(3037000500,3037000500)&in=()', []],
      ['type=f32&in=(4294967296,4294967296)&in=()', []],
    ]) {
      const model = page.compute(core, page.fromFragment(`#v=1&rule=numpy&op=Add&${shapes}`));
      assert.equal(model.failure.class, 'overflow', shapes);
      assert.equal(/or a smaller element type/.test(model.failure.message), offered.length > 0, shapes);
      const repairs = page.ownRepairs(core, model);
      assert.deepEqual(
        repairs.map(({ says }) => says),
        offered,
        shapes,
      );
      for (const { says, next } of repairs) assert.equal(page.compute(core, next).failure, null, `${shapes}: ${says}`);
    }
    const cast = page.compute(
      core,
      page.fromFragment('#v=1&rule=numpy&op=Cast&type=u8&to=f64&in=(4611686018427387903,)'),
    );
    assert.deepEqual(
      page.ownRepairs(core, cast).map(({ says }) => says),
      ['cast to f16', 'cast to bf16'],
    );
  });

  test('a mapping that the rule does not take: the repair takes it away', () => {
    const state = page.fromFragment(
      '#v=1&rule=bidirectional&op=Broadcast&type=f32&in=(3,4)&target=(2,3,4)&mapping=[1,2]',
    );
    const model = page.compute(core, state);
    assert.equal(model.failure.class, 'axes_mapping');
    const repairs = page.coreRepairs(core, model);
    assert.ok(repairs.length > 0);
    for (const { next } of repairs) assert.equal(page.compute(core, next).failure, null);
  });

  test('sentences, cells, pictures and Markdown are true of the alignment', () => {
    let said = 0;
    for (const question of drawn(seed + 1, 1500)) {
      const name = titleOf(question);
      const model = page.compute(core, stateOf(question));
      const { alignment, failure, rule } = model;
      const truth = aligned(question);
      assert.equal(failure === null, truth.shape !== null, name);
      if (!failure) assert.deepEqual(faultsInVerdict(truth, alignment.verdict), [], name);
      const texts = page.alignmentTexts(alignment, model);
      const lines = page.markdown(model, null).split('\n');
      assert.ok(page.alignmentAlt(model).endsWith(failure ? failure.message : alignment.verdict), name);
      alignment.axes.forEach((axis, i) => {
        assert.deepEqual(faultsInWhy(truth.axes[i], axis.why), [], `${name}: ${axis.why}`);
        assert.ok(
          lines.some((line) => line.startsWith(`- axis ${i}: `)),
          name,
        );
        const none = failure && failure.class !== 'incompatible' && failure.class !== 'overflow';
        assert.equal(texts.result[i], none || truth.axes[i].conflict ? '?' : String(truth.axes[i].extent), name);
        const rows = [...truth.axes[i].cells, ...(truth.axes[i].target ? [truth.axes[i].target] : [])];
        rows.forEach((cell, row) => {
          ++said;
          const here = row < axis.cells.length ? axis.cells[row] : axis.target;
          const words = page.cellText(here, axis, rule);
          assert.deepEqual(faultsInCell(cell, truth.axes[i], words), [], `${name}, axis ${i}, row ${row}: ${words}`);
          const { extent, times, own, struck } = texts.rows[row].cells[i];
          assert.equal(extent, comparedExtent(cell, truth.axes[i]), `${name}: ${extent}`);
          const repeated = /stretches to (\d+)/.exec(words)?.[1];
          assert.equal(times, repeated === undefined ? '' : `×${repeated}`, `${name}: ${extent}`);
          if (/no axis/.test(own)) assert.equal(cell.sourceAxis, null, name);
          if (/axis \d/.test(own)) assert.equal(own, `axis ${cell.sourceAxis}`, name);
          assert.equal(/clash/.test(own), cell.relation === 'conflict', name);
          assert.equal(struck, cell.relation === 'conflict' && cell.sourceAxis !== null, name);
        });
      });
    }
    assert.ok(said > 5000, `${said} cells`);
  });

  test('the answers of a frame are true of the alignment', () => {
    const seen = { fits: 0, fails: 0 };
    for (const question of drawn(seed + 4, 1000)) {
      const name = titleOf(question);
      const { fits, shape, error, verdict, alt } = page.answerOf(page.compute(core, stateOf(question)));
      const truth = aligned(question);
      ++seen[fits ? 'fits' : 'fails'];
      assert.equal(fits, truth.shape !== null, name);
      assert.equal(error, truth.error?.code ?? null, name);
      assert.deepEqual(shape?.map(String) ?? null, truth.shape?.map(String) ?? null, name);
      if (fits) assert.deepEqual(faultsInVerdict(truth, verdict), [], `${name}: ${verdict}`);
      else assert.ok(truth.verdict.startsWith(truth.error.message) && verdict.startsWith(truth.error.message), name);
      assert.doesNotMatch(alt, /undefined|NaN|\[object/, name);
    }
    for (const [what, count] of Object.entries(seen)) assert.ok(count > 100, `${what}: ${count}`);
  });

  test('descriptions in the gallery are true of the alignment', () => {
    const examples = [
      ...presets.sights,
      ...presets.mistakes,
      ...presets.documents.flatMap((document) => document.examples),
    ];
    let said = 0;
    for (const example of examples) {
      const { claims, faults } = faultsInLook(example, aligned);
      said += claims;
      assert.deepEqual(faults, [], `${example.id}: ${example.look}`);
    }
    assert.ok(said > 40, `${said} claims`);
  });
});

describe('in the page', () => {
  let playground;
  let open;
  before(async () => {
    playground = await openPlayground();
    open = await playground.open();
  });
  after(async () => {
    await playground.close();
    assert.deepEqual(playground.faults, []);
  });

  async function goTo(fragment) {
    await follow(open, fragment);
    const shown = page.toFragment(page.fromFragment(`#${fragment}`));
    // The address follows: what is asked before that would be taken for its own echo.
    await open.waitForFunction(
      (text) => document.querySelector('#answer')?.dataset.shows === text && location.hash === `#${text}`,
      shown,
    );
  }

  const table = (shown = open) =>
    shown.evaluate(() =>
      [...document.querySelectorAll('.alignment tbody tr:not(.result)')].map((row) => ({
        struckOut: [...row.querySelectorAll('th s')].map((one) => one.title),
        cells: [...row.querySelectorAll('td')].map((cell) => {
          const extent = cell.querySelector('.extent');
          return {
            heard: cell.getAttribute('aria-label') ?? '',
            seen: cell.innerText.replace(/\s+/g, ' ').trim(),
            extent: extent?.firstChild?.data?.trim() ?? '',
            struck: extent !== null && getComputedStyle(extent).textDecorationLine.includes('line-through'),
            title: cell.querySelector('.axis-cell')?.title ?? '',
          };
        }),
      })),
    );

  test('each cell, reason, struck-out extent and step of the table is true', async () => {
    for (const question of drawn(seed + 2, 40)) {
      const name = titleOf(question);
      const truth = aligned(question);
      await goTo(fragmentOf(question));
      if (truth.axes.length === 0) continue;
      const rows = await table();
      const parts = [...truth.operands.keys(), ...(truth.targetShape ? [-1] : [])];
      assert.equal(rows.length, parts.length, name);
      parts.forEach((operand, row) => {
        const shape = operand < 0 ? truth.targetShape : truth.operands[operand];
        const cells = truth.axes.map((axis) => (operand < 0 ? axis.target : axis.cells[operand]));
        rows[row].cells.forEach(({ heard, seen, extent, struck, title: hint }, i) => {
          const cell = cells[i];
          const where = `${name}, row ${row}, axis ${i}: ${heard} / ${seen}`;
          const words = heard.replace(/^(no axis|axis \d+), /, '').replace(/, (clash|ignored|stride -?\d+)$/, '');
          assert.deepEqual(faultsInCell(cell, truth.axes[i], words), [], where);
          assert.ok(heard.startsWith(cell.sourceAxis === null ? 'no axis, ' : `axis ${cell.sourceAxis}, `), where);
          assert.equal(extent, comparedExtent(cell, truth.axes[i]), where);
          if (struck && extent !== '') assert.ok(cell.relation === 'conflict' || /ignored/.test(heard), where);
          if (/ignored/.test(heard))
            assert.equal(
              shape.slice(cell.sourceAxis).every((one) => one === 1),
              true,
              where,
            );
          const stride = /stride (-?\d+)/.exec(hint)?.[1];
          if (stride !== undefined) assert.equal(stride, String(cell.stride), where);
        });
        for (const hint of rows[row].struckOut) {
          const own = Number(/^axis (\d+) of/.exec(hint)[1]);
          const placed = cells.some(({ sourceAxis }) => sourceAxis === own);
          assert.ok(
            !placed || (truth.rule === 'pdpd' && shape.slice(own).every((one) => one === 1)),
            `${name}: ${hint}`,
          );
        }
      });
      const whys = await open
        .locator('.alignment .reasons td')
        .evaluateAll((all) => all.map((one) => one.firstChild.data.trim()));
      whys.forEach((why, i) => assert.deepEqual(faultsInWhy(truth.axes[i], why), [], `${name}: ${why}`));
      await goTo(`${fragmentOf(question)}&step=stretched`);
      const telling = await open.innerText('.telling');
      const repeats = truth.axes.flatMap(({ conflict, cells, extent }, axis) =>
        cells.flatMap((cell, operand) =>
          !conflict && /stretch|insert/.test(cell.relation) && Number(extent) !== 1 && cell.stride !== null
            ? [
                {
                  operand: 'ABCDEFGH'[operand],
                  axis,
                  extent: String(extent),
                  missing: cell.sourceAxis === null || cell.clause === 'pdpd.5',
                },
              ]
            : [],
        ),
      );
      const says = [
        ...telling.matchAll(
          /(\w+) has (nothing|extent 1) on the result's axis (\d+)(?:, which counts as 1)?: its (?:one (?:row|column|element) is used|elements are used again) for each of (?:(\w+|the target)'s|the) (\d+) (?:rows|columns|elements|indexes)\./g,
        ),
      ];
      for (const [sentence, operand, how, axis, other, extent] of says) {
        const wanted = { operand, axis: Number(axis), extent, missing: how === 'nothing' };
        assert.ok(
          repeats.some((one) => isDeepStrictEqual(one, wanted)),
          `${name}: ${sentence}`,
        );
        const { cells, target } = truth.axes[axis];
        const partner = other === 'the target' ? target : cells['ABCDEFGH'.indexOf(other)];
        if (other) assert.equal(String(partner.extent), extent, `${name}: ${sentence}`);
      }
      const clashes = truth.axes.filter(({ conflict }) => conflict).length;
      const more = Number(/And (\d+) more like these/.exec(telling)?.[1] ?? 0);
      if (!/has a place/.test(telling)) {
        const shown = telling.match(/Axis \d+(?:: |, mismatch: )/g)?.length ?? 0;
        assert.equal(says.length + shown + more, repeats.length + clashes, `${name}: ${telling}`);
      }
    }
  });

  test('each cell and reason of the embedded view is true', async () => {
    const embed = await playground.open('', { query: '?embed=alignment' });
    let said = 0;
    for (const question of drawn(seed + 5, 25)) {
      const name = titleOf(question);
      const truth = aligned(question);
      if (truth.axes.length === 0) continue;
      await follow(embed, fragmentOf(question));
      const rows = await table(embed);
      const parts = [...truth.operands.keys(), ...(truth.targetShape ? [-1] : [])];
      assert.equal(rows.length, parts.length, name);
      parts.forEach((operand, row) =>
        rows[row].cells.forEach(({ heard }, i) => {
          const { cells, target } = truth.axes[i];
          const words = heard.replace(/^(no axis|axis \d+), /, '').replace(/, (clash|ignored|stride -?\d+)$/, '');
          ++said;
          assert.deepEqual(
            faultsInCell(operand < 0 ? target : cells[operand], truth.axes[i], words),
            [],
            `${name}: ${heard}`,
          );
        }),
      );
      const whys = await embed
        .locator('.alignment .reasons td')
        .evaluateAll((all) => all.map((one) => one.firstChild.data.trim()));
      whys.forEach((why, i) => assert.deepEqual(faultsInWhy(truth.axes[i], why), [], `${name}: ${why}`));
      const verdict = (await embed.innerText('#verdict')).replace(/\s+/g, ' ');
      assert.equal((await embed.getAttribute('#verdict', 'data-fits')) === 'yes', truth.shape !== null, name);
      const clash = /Axis (\d+): ((?:[A-Z] has \d+(?:, | ))+)/.exec(verdict);
      if (clash === null) continue;
      const { conflict, cells } = truth.axes[Number(clash[1])];
      assert.ok(conflict, `${name}: ${verdict}`);
      for (const [, letter, extent] of clash[2].matchAll(/([A-Z]) has (\d+)/g))
        assert.equal(String(cells[letter.charCodeAt(0) - 65].extent), extent, `${name}: ${verdict}`);
    }
    assert.ok(said > 100, `${said} cells`);
    await embed.context().close();
  });

  test('a clash: no button leads back, each that is pressed fits, and the sentences agree', async () => {
    let pressed = 0;
    for (const question of drawn(seed + 3, 16, true)) {
      const name = titleOf(question);
      const fragment = fragmentOf(question);
      await goTo(fragment);
      const before = await open.getAttribute('#answer', 'data-shows');
      await open.waitForSelector('.other-rules[aria-busy="false"]');
      const others = (await open.innerText('.other-rules')).replace(/\s+/g, ' ');
      const buttons = await open.locator('.repairs .apply').allInnerTexts();
      const takers = (await open.locator('.other-rules .takes button').count()) - 1;
      assert.equal(/No other rule takes these operands as they are/.test(others), takers === 0, name);
      if (takers === 0)
        assert.ok(
          buttons.every((text) => !/^use the rule/.test(text)),
          `${name}: ${buttons}`,
        );
      if (buttons.length > 0) assert.doesNotMatch(await open.innerText('.repairs'), /No small change/);
      for (const group of ['.repairs .apply', '.other-rules .takes button:not(.quiet)']) {
        const count = await open.locator(group).count();
        for (let i = 0; i < Math.min(count, 3); ++i) {
          const text = await open.locator(group).nth(i).innerText();
          await open.locator(group).nth(i).click();
          await open.waitForFunction((text) => document.querySelector('#answer').dataset.shows !== text, before);
          assert.equal(await open.getAttribute('#verdict', 'data-fits'), 'yes', `${name}: ${text}`);
          assert.ok(
            text.replace(/\s+/g, ' ').endsWith(`gives ${await open.innerText('#result-shape')}`),
            `${name}: ${text}`,
          );
          ++pressed;
          await open.click('[aria-label="Undo"]');
          await open.waitForFunction((text) => document.querySelector('#answer').dataset.shows === text, before);
          await open.waitForSelector('.other-rules[aria-busy="false"]');
        }
      }
    }
    assert.ok(pressed > 10, `${pressed} pressed`);
  });
});
