// Runs the systems named on the command line and prints a record for each error text: one JSON object a line, as
// record.py does. The systems are resolved from the current folder.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const require = createRequire(path.join(process.cwd(), 'package.json'));
const load = async (name) => import(pathToFileURL(require.resolve(name)).href);

const pairs = [
  [[8, 3], [8]],
  [[2, 3], [4]],
  [
    [4, 1, 6],
    [4, 2, 5],
  ],
  [[3], [2]],
  [
    [2, 1, 3],
    [3, 3, 1],
  ],
];
const targets = [
  [
    [8, 3],
    [8, 4],
  ],
  [
    [3, 1, 5],
    [3, 4, 6],
  ],
  [[2], [3]],
];
const shape = (role, extents) => ({ role, shape: extents });
const operands = (...shapes) => shapes.map((extents) => shape('operand', extents));

/** Each function with each pair of shapes. */
const binary = (functions, run, rule = 'numpy') =>
  functions.flatMap((name) =>
    pairs.map(([a, b]) => ({
      code: `${name}([${a}], [${b}])`,
      rule,
      text_shapes: operands(a, b),
      run: () => run(name, a, b),
    })),
  );
const stretch = (code, run) =>
  targets.map(([value, target]) => ({
    code: `${code}([${value}], [${target}])`,
    rule: 'broadcast_numpy',
    text_shapes: [shape('value', value), shape('target', target)],
    run: () => run(value, target),
  }));
const count = (extents) => extents.reduce((product, extent) => product * extent, 1);

// Each system: its package, and its cases.
const systems = {
  tfjs: {
    package: '@tensorflow/tfjs',
    async cases(tf) {
      return [
        ...binary(['add', 'mul', 'div', 'maximum', 'less', 'pow'], (name, a, b) => tf[name](tf.ones(a), tf.ones(b))),
        ...stretch('broadcastTo', (value, target) => tf.broadcastTo(tf.ones(value), target)),
        {
          code: 'add([0,3], [2,3])',
          rule: 'numpy',
          text_shapes: operands([0, 3], [2, 3]),
          run: () => tf.ones([0, 3]).add(tf.ones([2, 3])),
        },
        {
          code: 'layers.add()',
          rule: 'numpy',
          text_shapes: operands([3], [4]),
          run: () => tf.layers.add().apply([tf.ones([8, 3]), tf.ones([8, 4])]),
        },
        {
          code: 'meanSquaredError',
          rule: 'none',
          text_shapes: operands([8, 3], [8, 4]),
          run: () => tf.losses.meanSquaredError(tf.ones([8, 3]), tf.ones([8, 4])),
        },
      ];
    },
  },
  'numpy-ts': {
    package: 'numpy-ts',
    async cases(np) {
      return [
        ...binary(['add', 'multiply', 'power', 'maximum', 'greater', 'logical_and'], (name, a, b) =>
          np[name](np.ones(a), np.ones(b)),
        ),
        ...stretch('broadcast_to', (value, target) => np.broadcast_to(np.ones(value), target)).slice(2),
        {
          code: 'copyto([8,3], [8])',
          rule: 'broadcast_numpy',
          text_shapes: [shape('value', [8]), shape('target', [8, 3])],
          run: () => np.copyto(np.ones([8, 3]), np.ones([8])),
        },
        {
          code: 'broadcast_arrays([8,3], [8])',
          rule: 'numpy',
          text_shapes: operands([8, 3], [8]),
          run: () => np.broadcast_arrays(np.ones([8, 3]), np.ones([8])),
        },
        {
          code: 'broadcast_shapes([8,3], [8])',
          rule: 'numpy',
          partial: { sizes: [3, 8] },
          run: () => np.broadcast_shapes([8, 3], [8]),
        },
        {
          code: 'matmul([2,3,4], [3,4,5])',
          rule: 'numpy',
          text_shapes: operands([2], [3]),
          run: () => np.matmul(np.ones([2, 3, 4]), np.ones([3, 4, 5])),
        },
      ];
    },
  },
  'jax-js': {
    package: '@jax-js/jax',
    async cases({ numpy: np }) {
      return [
        ...binary(['add', 'multiply', 'maximum', 'less'], (name, a, b) => np[name](np.ones(a), np.ones(b))),
        {
          code: 'broadcastTo([2], [3])',
          rule: 'broadcast_numpy',
          text_shapes: [shape('value', [2]), shape('target', [3])],
          run: () => np.broadcastTo(np.ones([2]), [3]),
        },
      ];
    },
  },
  mathjs: {
    package: 'mathjs',
    async cases(math) {
      return ['add', 'subtract', 'dotMultiply'].map((name) => ({
        code: `${name}([2,3], [2,4])`,
        rule: 'numpy',
        text_shapes: operands([2, 3]),
        run: () => math[name](math.ones(2, 3), math.ones(2, 4)),
      }));
    },
  },
  stdlib: {
    package: '@stdlib/ndarray',
    async cases() {
      const { default: broadcast } = await load('@stdlib/ndarray-base-broadcast-array');
      const { default: array } = await load('@stdlib/ndarray/array/lib/index.js');
      const ones = (extents) => array(new Float64Array(count(extents)), { shape: extents });
      return [...stretch('broadcastArray', (value, target) => broadcast(ones(value), target))];
    },
  },
  r: {
    package: 'webr',
    async cases({ WebR }) {
      const r = new WebR();
      await r.init();
      const run = async (code) => {
        const script = `tryCatch({${code}}, error = function(e) cat("Error in", deparse(conditionCall(e)), ":", conditionMessage(e)), warning = function(w) cat("Warning message:\\nIn", deparse(conditionCall(w)), ":\\n ", conditionMessage(w)))`;
        const shelter = await new r.Shelter();
        const { output } = await shelter.captureR(script);
        throw new Error(output.map(({ data }) => data).join('\n'));
      };
      const recycled = [
        ['x <- 1:3; y <- 1:2; x + y', ['x', 'y']],
        ['x <- matrix(1:6, 2); y <- matrix(1:6, 3); x * y', ['x', 'y']],
        ['x <- matrix(1:6, 2); x + 1:4', ['x', '1:4']],
        ['x <- array(1:8, c(2, 2, 2)); y <- array(1:4, c(2, 2)); x - y', ['x', 'y']],
      ];
      return [
        ...recycled.map(([code, expressions]) => ({ code, rule: 'recycled', expressions, run: () => run(code) })),
        { code: 'x %*% x', rule: 'matmul', run: () => run('x <- matrix(1:6, 2); x %*% x') },
      ];
    },
    end: () => process.exit(0),
  },
};

for (const name of process.argv.slice(2)) {
  const system = systems[name];
  const module = await load(system.package);
  const folder = require.resolve(system.package).split(`node_modules/${system.package}`)[0];
  const { version } = JSON.parse(readFileSync(`${folder}node_modules/${system.package}/package.json`, 'utf8'));
  let number = 0;
  for (const { run, ...one } of await system.cases(module)) {
    let text = null;
    try {
      await run();
    } catch (error) {
      text = name === 'r' ? error.message : `Uncaught ${error.name}: ${error.message}`;
    }
    if (text === null) {
      console.error(`${name}: no text for ${one.code}`);
      continue;
    }
    const record = { id: `${name}-${number++}`, system: name, run: `${system.package} ${version}`, pasted_text: text };
    console.log(
      JSON.stringify({ text_shapes: null, partial: null, expressions: null, printed_by: undefined, ...record, ...one }),
    );
  }
  system.end?.();
}
