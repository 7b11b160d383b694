// Millions of small calls must not increase memory use.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';

test('a million small calls increase neither module memory nor heap', () => {
  const script = `
    import { load } from 'broadloom';
    const bl = await load();
    const a = { data: new Float32Array([1, 2, 3, 4, 5, 6]), shape: [2, 3] };
    const b = { data: new Float32Array([10, 20, 30]), shape: [3] };
    const out = { data: new Float32Array(6), shape: [2, 3] };
    const plan = bl.plan('Add', 'numpy', [[2, 3], [3]], ['f32', 'f32']);
    const t = bl.tensor(a);
    const work = (count) => {
      for (let i = 0; i < count; ++i) {
        bl.add(a, b);
        bl.add(a, b, { out });
        plan.run([a.data, b.data], out.data);
        bl.where([true, false, true], a, 1);
        bl.add(a, [[1], [2]], { as: 'nested' });
        bl.add(t, b, { out: t });
        t.write(a.data);
        bl.mul(t, t).dispose();
        plan.runRegion([{ begin: 0, end: 1 }, { begin: 0, end: 3 }], [a, b]);
        try { bl.add(a, out.data); } catch {}
      }
    };
    const heap = () => { for (let i = 0; i < 4; ++i) globalThis.gc(); return process.memoryUsage().heapUsed; };
    const settle = async () => { for (let i = 0; i < 5; ++i) { globalThis.gc(); await new Promise((r) => setTimeout(r, 5)); } };
    work(5_000);
    await settle();
    const before = { heap: heap(), memory: bl.memory() };
    for (let i = 0; i < 10; ++i) { work(10_000); await settle(); }
    const after = { heap: heap(), memory: bl.memory() };
    process.stdout.write(JSON.stringify({ before, after, out: [...out.data] }));
  `;
  const given = ['--expose-gc', '--input-type=module', '--eval', script];
  const cwd = new URL('../..', import.meta.url);
  const { before, after, out } = JSON.parse(execFileSync(process.execPath, given, { cwd, encoding: 'utf8' }));
  assert.deepEqual(after.memory, before.memory);
  assert.deepEqual(out, [11, 22, 33, 14, 25, 36]);
  assert.ok(after.heap - before.heap < 512 * 1024, `${after.heap - before.heap} bytes of the heap`);
});
