// Lines of code of repairs, run by the systems themselves: each gives the repaired shape and the elements that the core says.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { load } from 'broadloom';
import { inRoot } from '../../scripts/paths.mjs';
import { run } from '../../scripts/run.mjs';
import { onPath } from '../../scripts/toolchain.mjs';
import { python } from './systems.mjs';

const bl = await load();
const { rules } = bl.vocabulary;
const program = inRoot('build/native/tests/broadloom_repair_lines');

// Requests of each rule with a repair of each kind, and what FindRepairs proposes for them.
async function records(count, seed) {
  const { code, output } = await run(program, [String(count), String(seed)], { capture: 'keep' });
  assert.equal(code, 0);
  return output
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

const written = await records(40, 1);
const all = written.filter(({ from }) => from !== 'reduction');
const reductions = written.filter(({ from }) => from === 'reduction');

// What a line has to give: arrays as {shape, elements}.
const wanted = ({ shape, elements, result, each }) =>
  elements ? [{ shape, elements }] : each.map((one) => ({ shape: result, elements: one }));

const described = (record, line) =>
  `${record.kind} ${record.rule} ${JSON.stringify(record.operands)} -> ${JSON.stringify(record.elements ? record.shape : record.result)}: ${line}`;

const isEmpty = ({ operands, shape, result, target }) =>
  [...operands, shape, result, target ?? []].some((one) => one.includes(0));

// The larger extent of an operand is what no system can make up; all other changes have a line everywhere.
function lacksLine({ kind, operand, operands, shape }) {
  if (kind !== 'change_size') return false;
  const own = operands[operand];
  return (
    own.length !== shape.length || own.some((extent, i) => shape[i] !== extent && (shape[i] > extent || shape[i] < 2))
  );
}

// Whether a line would be the operands as they are: a target that is the operand's own shape, or a rule under which the
// operands lie where the system's own rule puts them. Broadloom's own lines say which rule.
function changesNothing({ kind, repairedRule, operands, axis, result }, id) {
  if (kind !== 'change_target' && kind !== 'change_rule') return false;
  if (rules[repairedRule].takesTarget) return String(operands[0]) === String(result);
  if (id.startsWith('broadloom')) return false;
  const [a, b] = operands.map((shape) => shape.length);
  return !rules[repairedRule].takesAxis || b === 0 || (axis < 0 ? a - b : axis) === a - b;
}

test('the repairs are of every kind, under every rule that can have one', () => {
  const seen = new Set(all.map(({ kind, repairedRule }) => `${kind} ${repairedRule}`));
  for (const [name, { takesTarget, mostOperands }] of Object.entries(rules)) {
    assert.ok(seen.has(`reshape ${name}`), name);
    if (mostOperands !== 1) assert.ok(seen.has(`insert_axis ${name}`) || name === 'pdpd', name);
    if (takesTarget) assert.ok(seen.has(`change_target ${name}`), name);
  }
  assert.ok(seen.has('swap_operands onnx_unidirectional'));
  assert.ok(all.length > 3000, `${all.length}`);
});

test('a line is there, unless no code can be', () => {
  for (const record of all) {
    for (const [id, line] of Object.entries(record.code)) {
      const isWanted = id !== 'openvino-ir' && !lacksLine(record) && !changesNothing(record, id);
      assert.equal(line !== '', isWanted, `${id}: ${described(record, line)}`);
    }
  }
});

async function allRight(system, { taken = () => true, shim = false, every = 1 } = {}) {
  const work = all
    .filter(({ code }) => code[system] !== '')
    .filter(taken)
    .filter((_, i) => i % every === 0)
    .map((record) => ({ ...record, system, line: record.code[system], shim }));
  assert.ok(work.length > 250, `${work.length}`);
  const got = await python('run_lines.py', work);
  const faults = work.flatMap((record, i) => {
    const { error, arrays = [] } = got[i];
    try {
      assert.equal(error, undefined);
      assert.deepEqual(arrays, wanted(record));
      return [];
    } catch {
      return [`${described(record, record.line)}\n  ${error ?? JSON.stringify(arrays)}\n`];
    }
  });
  assert.equal(faults.length, 0, `${faults.length} of ${work.length}:\n${faults.slice(0, 5).join('\n')}`);
}

test('NumPy', () => allRight('numpy'));
test('ONNX, by its reference evaluator', () => allRight('onnx'));
// OpenVINO crashes where a Broadcast has no elements or its target no entries.
test('OpenVINO', () =>
  allRight('openvino', {
    every: 8,
    taken: (record) => !isEmpty(record) && (record.elements || record.result.length > 0),
  }));
// XLA compiles a program for each shape.
test('JAX', () => allRight('jax', { every: 12 }));
// Not the libraries themselves but shim.py.
test('PyTorch, on a stand-in made of NumPy', () => allRight('pytorch', { shim: true }));
test('TensorFlow, on a stand-in made of NumPy', () => allRight('tensorflow', { shim: true }));

// PyTorch and TensorFlow were run by hand: their stand-ins have no reductions.
test('reductions keep their axis', async () => {
  const word = { pytorch: 'keepdim=True', openvino: 'keep_dims=True' };
  for (const { system, line } of reductions) assert.ok(line.includes(word[system] ?? 'keepdims=True'), line);
  const work = reductions.filter(({ system }) => ['numpy', 'jax', 'openvino'].includes(system));
  assert.ok(work.length > 250, `${work.length}`);
  const got = await python('run_lines.py', work);
  for (const [i, { line }] of work.entries()) assert.equal(got[i].error, undefined, line);
});

// --- Broadloom ---------------------------------------------------------------------------------------------------------

const countElements = (shape) => shape.reduce((product, extent) => product * extent, 1);
const counting = (shape, isCounting = true) => ({
  data: Int32Array.from({ length: countElements(shape) }, (_, i) => (isCounting ? i : 0)),
  shape,
});

// Where the operand of that number is after the repair.
const placeOf = ({ kind }, i) => (kind === 'swap_operands' && i < 2 ? 1 - i : i);

function evaluated(line, operands) {
  const names = operands.map((_, i) => 'abcdefgh'[i]);
  return new Function('bl', ...names, `return [${line}];`)(bl, ...operands);
}

test('JavaScript', () => {
  for (const record of all) {
    const line = record.code['broadloom-js'];
    if (line === '') continue;
    const { shape, elements, result, each, repairedRule } = record;
    const check = (array, own, list) => {
      assert.deepEqual([[...array.shape], [...array.data]], [own, list], described(record, line));
    };
    if (elements) {
      const [changed] = evaluated(
        line,
        record.operands.map((one) => counting(one)),
      );
      check(bl.broadcast(changed, { targetShape: shape }), shape, elements);
      continue;
    }
    for (const [i, list] of each.entries()) {
      // All others are 0, so that the maximum is this operand's element.
      const given = record.operands.map((one, k) => counting(one, k === placeOf(record, i)));
      const made = evaluated(line, given);
      if (rules[repairedRule].takesTarget) check(made[0], result, list);
      else if (rules[repairedRule].returnsEach) check(bl.broadcastArrays(...made)[i], result, list);
      else check(bl.max(made.slice(0, -1), made.at(-1)), result, list);
    }
  }
});

test('C++', async () => {
  const bodies = [];
  const expected = [];
  const seen = new Map();
  for (const record of all) {
    const line = record.code['broadloom-cpp'];
    const key = `${record.kind} ${record.repairedRule}`;
    const few = (seen.get(key) ?? 0) + 1;
    // A program with all of them would take minutes to compile.
    if (line === '' || few > 6 || rules[record.repairedRule].returnsEach) continue;
    seen.set(key, few);
    const { elements, shape, result, each, operand, operands } = record;
    const declared = (isCounting) =>
      operands.map((one, k) => {
        const name = 'abcdefgh'[k];
        const list = isCounting(k) ? counting(one).data : counting(one, false).data;
        return `const std::vector<int32_t> ${name}_data = {${[...list].join(', ')}};`;
      });
    const view = (k, more = '') => {
      const name = 'abcdefgh'[k];
      return `{.dtype = DType::kI32, .shape = ${name}_shape, .data = ${name}_data.data(), .bytes = ${name}_data.size() * 4${more}}`;
    };
    const shapes = (skipped) =>
      operands.map((one, k) =>
        k === skipped ? '' : `const std::vector<int64_t> ${'abcdefgh'[k]}_shape = {${one.join(', ')}};`,
      );
    if (elements) {
      const strides = line.includes('_strides') ? `, .strides = ${'abcdefgh'[operand]}_strides` : '';
      bodies.push(
        [
          ...declared(() => true),
          ...shapes(operand),
          line,
          `const TensorView input${view(operand, strides)};`,
          `const std::vector<int64_t> target = input.shape.empty() ? std::vector<int64_t>{} : std::vector<int64_t>(input.shape.begin(), input.shape.end());`,
          'const auto out = Apply(Op::kBroadcast, {&input, 1}, {.target_shape = target});',
        ].join('\n  '),
      );
      expected.push([shape, elements, record]);
      continue;
    }
    for (const [i, list] of each.entries()) {
      const isSwap = record.kind === 'swap_operands';
      const op = rules[record.repairedRule].takesTarget ? 'kBroadcast' : 'kMax';
      const option = isSwap ? `{.rule = *FindRule("${record.repairedRule}")}` : line;
      if (isSwap && record.repairedRule === 'pdpd') continue;
      const named = operands.map((_, k) => `const TensorView ${'abcdefgh'[k]}${view(k)};`);
      const inputs = isSwap ? line : operands.map((_, k) => 'abcdefgh'[k]).join(', ');
      bodies.push(
        [
          ...declared((k) => k === placeOf(record, i)),
          ...shapes(-1),
          ...named,
          `const TensorView inputs[] = {${inputs}};`,
          `const auto out = Apply(Op::${op}, inputs, ${option});`,
        ].join('\n  '),
      );
      expected.push([result, list, record]);
    }
  }
  assert.ok(bodies.length > 150, `${bodies.length}`);
  const source = inRoot('build/code/repairs.cc');
  mkdirSync(path.dirname(source), { recursive: true });
  writeFileSync(
    source,
    `#include <broadloom/broadloom.h>\n#include <cstdint>\n#include <cstdio>\n#include <vector>\nusing namespace broadloom;
static void Report(const Result<Tensor>& out) {
  if (!out) return (void)std::puts("null");
  std::printf("[[");
  const char* between = "";
  for (const int64_t extent : out->shape()) { std::printf("%s%lld", between, static_cast<long long>(extent)); between = ","; }
  std::printf("],[");
  between = "";
  for (const int32_t value : out->as<int32_t>()) { std::printf("%s%d", between, value); between = ","; }
  std::puts("]]");
}
${bodies.map((body, i) => `static void Line${i}() {\n  ${body}\n  Report(out);\n}\n`).join('')}
int main() {\n${bodies.map((_, i) => `  Line${i}();\n`).join('')}}\n`,
  );
  const compiler = process.env.CXX || ['clang++-19', 'g++', 'c++'].find(onPath);
  const flags = ['-std=c++23', '-O0', '-Wall', '-Wextra', '-Wno-unused', '-Werror', '-I', inRoot('core/include')];
  const libraries = [inRoot('build/native/core/libbroadloom.a'), '-pthread'];
  const target = inRoot('build/code/repairs');
  const compiled = await run(compiler, [...flags, source, ...libraries, '-o', target], { capture: 'keep' });
  assert.equal(compiled.code, 0, compiled.output.slice(0, 3000));
  const { output } = await run(target, [], { capture: 'keep' });
  const lines = output
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  for (const [i, [shape, list, record]] of expected.entries())
    assert.deepEqual(lines[i], [shape, list], described(record, record.code['broadloom-cpp']));
});
