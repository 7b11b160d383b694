// The exact text of every error message; and every message in the sources occurs in one of these tests.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { load } from 'broadloom';
import { REFUSALS as ofCalls } from './refusals.mjs';
import { REFUSALS as ofCommand } from './refusals-command.mjs';
import { REFUSALS as ofLoading } from './refusals-load.mjs';
import { REFUSALS as ofModels } from './refusals-models.mjs';
import { REFUSALS as ofNpy } from './refusals-npy.mjs';
import { REFUSALS as ofThreads } from './refusals-threads.mjs';
import { REFUSALS as ofZarr } from './refusals-zarr.mjs';
import { cppTemplates, matcherOf, shown, typescriptTemplates } from './templates.mjs';

const inRoot = (name) => fileURLToPath(new URL(`../../${name}`, import.meta.url));
const refusals = { ...ofCalls, ...ofNpy, ...ofModels, ...ofLoading, ...ofThreads, ...ofZarr, ...ofCommand };
const messages = Object.values(refusals).flatMap((rows) => rows.map(([, , message]) => message));

async function thrownBy(call) {
  try {
    await call();
  } catch (error) {
    return error;
  }
  return assert.fail(`${call} is not refused`);
}

for (const [title, rows] of Object.entries(refusals)) {
  test(`errors: ${title}`, async () => {
    for (const [call, expected, message] of rows) {
      const error = await thrownBy(call);
      assert.equal(error.message, message, String(call));
      assert.equal(error.detail ? `${error.code}.${error.detail}` : error.code, expected, String(call));
    }
  });
}

test('messages are whole sentences with correct plurals', () => {
  for (const message of messages) {
    assert.match(message, /[^.]\.(\n|$)/, message);
    assert.doesNotMatch(message, /\[object|\S {2}|(?<!-)\b1 (?:axes|entries|bytes|operands|results)\b/, message);
  }
});

// Printed where the command answers; not errors.
const ANSWERS =
  /^(?:cli\/(?:alignment-table|audit|every-rule|help|paste-report|report|symbolic-report)|models\/(?:audited|explained|fit|keeping)|types\/vocabulary|signatures\/operators)\.ts$/;

// Texts that no call above reaches, with the reason.
const UNREACHED = {
  typescript: {
    '[object ArrayBuffer]': 'is what an object is, not a message',
    '[object SharedArrayBuffer]': 'is what an object is, not a message',
    "{'descr': '…', 'fortran_order': False, 'shape': …, }…": 'is the header of a .npy file, not a message',
    'broadloom: the output could not be written: …\n': 'needs a disk that is full',
    'broadloom: this is a fault of the program itself: …\n': 'needs a fault of the program itself',
    '… x …': 'is the name of a product among operands, not a message',
    'A layer of type … does not broadcast.':
      'needs a layer that is in the table of layers, but that the audit does not read',
    '… layers broadcast; this is the first of them.': 'is a note on a layer, not an error',
    'The layer has no attribute …: OpenVINO then takes axis 0.': 'is a note on a layer, not an error',
    'axes_mapping is a constant, which is not in the XML: give it in its field.': 'is a note on a layer, not an error',
    'This platform refuses memory that threads share: ….': 'is the reason for one thread, not an error',
    'This platform has no SharedArrayBuffer.': 'is the reason for one thread, not an error',
    'This page is not isolated, so that its threads cannot share memory. Its server has to send the headers Cross-Origin-Opener-Policy: same-origin and Cross-Origin-Embedder-Policy: require-corp.':
      'is the reason for one thread, not an error',
    'The rule … places blocks otherwise than whole operands.': 'needs a rule that does so; regions.test.mjs asks all',
    '… was removed': 'needs metadata that vanish during a call',
    'Another worker could not be started.': 'is said to no caller',
    'the worker that computed it ended…': 'zarr.test.mjs ends a worker',
    'the workers were ended': 'is said to no caller',
    'it was not computed: ….': 'zarr.test.mjs ends a worker',
    'the call ended': 'is said to no caller',
    'The call was aborted before it was done: the result is incomplete.': 'zarr.test.mjs aborts calls',
    'There is no operator.': 'tells the compiler what the caller has checked',
    'no element type is held in ….': 'waits for typed arrays that no platform has yet',
    '… have no common type: convert some of them.': 'needs types of which each two have a common one, but not all',
    'there is no memory for lists of this result.': 'needs a platform short of memory',
    'There is no memory for a copy of … bytes; with transfer: true arrays are moved instead.':
      'needs a platform short of memory',
  },
  cpp: {
    'This build of the library has no kernels for …: add it to BROADLOOM_OPERATORS, or leave that option empty.':
      'the package has all operators',
    'This build of the library has no kernels for …: add it to BROADLOOM_TYPES, or leave that option empty.':
      'the package has all types',
    'This build of the library writes no strides of out: turn BROADLOOM_STRIDED_RESULTS on.':
      'the package writes them itself',
    'There is no … of that name.': 'the package knows more of the name, and says it',
    ': direction is left or right.': 'the package reads directions by name',
    'There is no operand of number …, only ': 'the package checks numbers of operands before it asks',
    'The element type does not go with the data.': 'is for errors that a program in C++ makes up',
    'This is no error that this version knows.': 'is for errors that a program in C++ makes up',
    'The memory to work in has to begin at a multiple of 64 bytes.': 'the package allocates the memory itself',
    'The memory to work in has … bytes, but … are needed.': 'the package allocates the memory itself',
    'The memory to work in may have … bytes, but … are needed.': 'the package allocates the memory itself',
    'There is no block …; there are ….': 'the package counts blocks itself',
    'The sum is done: there is no more to add.': 'the package adds no more than there is',
    ', one for each shape, not ….': 'the package counts element types itself',
    'There has to be ': 'the package gives as many results as there are',
    ': its offset and strides lead to byte …, but its data has … bytes.': 'the package follows strides itself',
    'There can be … threads at most, not ….': 'the package has no threads',
    'The plan is empty: it was never made, or was moved from.': 'the package refuses a disposed plan itself',
    'This version does not know the element type': 'the package knows more of the name, and says it',
    ': its offset and strides lead to ': 'the package follows strides itself',
    ' elements before its memory.': 'the package follows strides itself',
    ': there have to be ': 'the package follows strides itself',
    'The blocks were made of another plan: make them of this plan.': 'the package keeps a plan and its blocks together',
  },
  symbols: {
    ' has … names for … axes: give one for each axis, or none.': 'the package reads names with their extents',
    ' is given to a name that has the range ': 'texts of the package give a name no range',
    ' elsewhere: give one range, or use two names.': 'texts of the package give a name no range',
    'the name is longer than … bytes.': 'the package reads shorter names only',
    'Memory was refused.': 'needs a platform short of memory',
  },
};

function missed(templates, unreached) {
  const left = templates.filter((template) => !messages.some(matcherOf(template)));
  const isTold = ({ pieces }) => Object.hasOwn(unreached, pieces.join('…'));
  const stale = Object.keys(unreached).filter((words) => !left.some(({ pieces }) => pieces.join('…') === words));
  return { left: left.filter((template) => !isTold(template)).map(shown), stale };
}

test('each message text in TypeScript occurs in a tested message', () => {
  const templates = typescriptTemplates(inRoot('wasm/src'), (name) => ANSWERS.test(name));
  assert.ok(templates.length > 150, `${templates.length} texts were found`);
  assert.deepEqual(missed(templates, UNREACHED.typescript), { left: [], stale: [] });
});

test('each message text in C++ occurs in a tested message', () => {
  const templates = cppTemplates(
    ['describe_error.cc', 'words.cc'].map((name) => inRoot(`core/src/text/${name}`)),
    'Describe',
  );
  assert.ok(templates.length > 80, `${templates.length} texts were found`);
  assert.deepEqual(missed(templates, UNREACHED.cpp), { left: [], stale: [] });
});

test('each message text about unknown extents occurs in a tested message', () => {
  const templates = cppTemplates([inRoot('explain/src/symbols/write.cc')], 'Describe');
  assert.ok(templates.length > 10, `${templates.length} texts were found`);
  assert.deepEqual(missed(templates, UNREACHED.symbols), { left: [], stale: [] });
});

test('each clause that a rule may break is reported in a message', async () => {
  const { clauses, rules } = (await load()).vocabulary;
  const broken = Object.values(rules).flatMap(({ title, reference, clauses: { conflict, rank } }) =>
    // If no operand has a fixed shape, there is no rank to exceed.
    [conflict, ...(reference === 'everyone' ? [] : [rank])].map((name) => `${title}: ${clauses[name].text}.`),
  );
  const isTold = (text) => messages.some((message) => message.endsWith(text));
  assert.deepEqual(
    broken.filter((text) => !isTold(text)),
    [],
  );
});
