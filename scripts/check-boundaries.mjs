// Checks which parts of the repository may know each other, and a few rules for the core. Prints one line for each violation.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { main } from './fail.mjs';
import { root } from './paths.mjs';
import { projectFiles } from './project-files.mjs';

// The core's folders, and the other folders that each may include.
const layers = {
  base: [],
  rules: ['base'],
  text: ['base', 'rules'],
  loops: ['base'],
  // Kernels compute rows: they include neither shapes nor plans.
  'kernels/rows': ['base', 'loops'],
  'kernels/ops': ['base', 'loops', 'kernels/rows'],
  'kernels/sum': ['base', 'loops', 'kernels/rows'],
  kernels: ['base', 'loops', 'kernels/rows', 'kernels/ops', 'kernels/sum'],
  run: ['base', 'rules', 'loops', 'kernels/rows', 'kernels'],
  sum: ['base', 'rules', 'loops', 'kernels/rows', 'kernels/sum', 'kernels', 'run'],
};
// The folders of what explains, likewise. All may include public headers of the core, and no other file of it.
const explainLayers = {
  base: [],
  symbols: ['base'],
  diagnosis: ['base'],
  warnings: ['base', 'diagnosis'],
  code: ['base', 'diagnosis', 'symbols'],
  paste: ['base', 'diagnosis', 'symbols'],
  document: ['base', 'symbols', 'diagnosis', 'warnings', 'code', 'paste'],
};
// The package's folders, likewise. Entries and loaders are at the top, beside the folders, and may import all of them.
const packageLayers = {
  values: [],
  types: ['values'],
  elements: ['types'],
  core: ['elements', 'types'],
  operands: ['core', 'elements', 'types', 'values'],
  signatures: ['operands', 'types'],
  plans: ['core', 'elements', 'operands', 'signatures', 'types', 'values'],
  api: ['core', 'operands', 'plans', 'signatures', 'types', 'values'],
  npy: ['types'],
  link: ['types', 'values'],
  models: ['api', 'link', 'types', 'values'],
  worker: ['api', 'core', 'elements', 'operands', 'plans', 'types', 'values'],
  threads: ['api', 'core', 'elements', 'operands', 'plans', 'signatures', 'types', 'values', 'worker'],
  zarr: ['api', 'elements', 'entries', 'signatures', 'types', 'values', 'worker'],
  // The command uses the package as any other program does.
  explain: ['api', 'core', 'link', 'operands', 'types', 'values'],
  cli: ['entries', 'npy', 'values'],
};
// The page's folders in order: each may import those of earlier lines. Folders of one line may not import each other.
const pageLayers = [
  ['components', 'engine'],
  ['text'],
  ['state'],
  ['values'],
  ['model'],
  ['context'],
  ['page'],
  ['store'],
  ['code', 'zarr'],
  ['alignment', 'export', 'gallery', 'large', 'notices', 'rules', 'verdict'],
  ['controls', 'grids', 'guide', 'paste', 'predict', 'share'],
  ['models', 'symbolic'],
  ['app', 'embed'],
  ['main'],
];
// A public header belongs to the folder of its .cc file. These headers have no .cc file.
const headersAlone = {
  arithmetic: 'base',
  attributes: 'base',
  config: 'base',
  explain: 'text',
  limits: 'base',
  nest: 'loops',
  parallel: 'base',
  result: 'base',
  sum_to: 'sum',
  work: 'loops',
};

// Likewise of what explains: these headers have no .cc file of their name.
const explainHeadersAlone = { symbolic: 'symbols', symbolic_shape: 'base' };

const library = /^(?:core|explain|c)\/(include|src)\/.*\.(h|cc)$/;
const core = /^core\/(include|src)\/.*\.(h|cc)$/;
const explain = /^explain\/(include|src)\/.*\.(h|cc)$/;
// Kernels are compiled in a namespace for each target, where a second definition is an error of the compiler.
const headers = /^(?:core|explain|c)\/(?:include|src)\/.*(?<!-inl)\.h$/;
const packaged = /^wasm\/src\/.*\.ts$/;
const web = /^web\/src\/.*\.(ts|tsx|js|mjs|jsx)$/;
const text = /\.(h|cc|c|cmake|py|pyi|toml|ts|tsx|js|mjs|css|html|json|jsonl|md|sh|txt|yml|in)$|^[^/]*$|^\.ci\//;

const includes = (source) => [...source.matchAll(/^[ \t]*#[ \t]*include[ \t]*[<"]([^>"]+)[>"]/gm)];
const imports = (source) => [...source.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*["'`]([^"'`]+)["'`]/g)];

// C++ without comments and string contents, line by line as before.
function codeOnly(source) {
  return source.replace(/\/\/[^\n]*|\/\*[^]*?\*\/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+'/g, (found) =>
    found.startsWith('"') ? '""' : found.replace(/[^\n]/g, ' '),
  );
}

// A check: a pattern for the files it reads, and a function that returns the violations in a file as [offset, reason] pairs.
const checks = [
  {
    name: 'the libraries include neither Emscripten nor output streams',
    files: library,
    find: (source) =>
      includes(source)
        .filter(([, name]) =>
          /^emscripten|^(iostream|ostream|istream|fstream|sstream|print|cstdio|stdio\.h|syncstream)$/.test(name),
        )
        .map((m) => [m.index, `includes <${m[1]}>`]),
  },
  {
    name: 'the libraries never print, throw, abort or exit',
    files: library,
    find: (source) =>
      matches(
        codeOnly(source),
        /\b(?:throw|try|catch|v?[fs]?n?printf|puts|fputs|putchar|abort|terminate|_?_?exit|quick_exit|longjmp|assert|HWY_ABORT|HWY_ASSERT\w*|HWY_DASSERT\w*|HWY_CHECK|__builtin_trap)\b(?=\s*[({]|\s+\w|\s*;)|std::(?:cout|cerr|clog)\b|\bEM_(?:JS|ASM)\w*|\.value\(\)/g,
      ),
  },
  {
    name: 'memory whose size depends on input comes from the allocator',
    files: library,
    find: (source, file) =>
      file === 'core/src/base/memory.cc'
        ? []
        : matches(
            codeOnly(source),
            /\bstd::(?:vector|string|deque|list|map|set|unordered_\w+|function|any|make_unique|make_shared|allocator)\b|(?<!<)\bnew\b(?!\s*\()|\b(?:malloc|calloc|realloc|aligned_alloc)\s*\(/g,
          ),
  },
  {
    // A linker takes one of two inline definitions of a name for all calls, whatever they do.
    name: 'no two headers define the same name',
    files: headers,
    find: (source, file, read, files) =>
      definitions(source)
        .map((m) => [
          m,
          definedIn(files, read)
            .get(m[1] ?? m[2])
            .filter((other) => other !== file),
        ])
        .filter(([, others]) => others.length > 0)
        .map(([m, others]) => [m.index, `defines ${m[1] ?? m[2]}, as ${others.join(' and ')} does`]),
  },
  {
    name: 'public headers do not include Highway',
    files: /^(?:core|explain)\/include\//,
    find: (source) =>
      includes(source)
        .filter(([, name]) => name.startsWith('hwy/'))
        .map((m) => [m.index, `includes ${m[1]}`]),
  },
  {
    name: 'a folder of the core includes only folders before it',
    files: core,
    find: (source, file) => {
      if (file === 'core/include/broadloom/broadloom.h') return [];
      const own = layerOf(file);
      return includes(source)
        .map((m) => [m, layerOf(m[1])])
        .filter(([, layer]) => layer !== null && layer !== own && !layers[own]?.includes(layer))
        .map(([m, layer]) => [m.index, `is of ${own} and includes ${m[1]} of ${layer}`]);
    },
  },
  {
    name: 'a folder of what explains includes only folders before it, and public headers of the core',
    files: explain,
    find: (source, file) => {
      const own = explainLayerOf(file);
      const ofCore = (name) => /^broadloom\/\w+\.h$|^broadloom\/internal\/(?:arithmetic|config)\.h$/.test(name);
      return includes(source)
        .filter(([, name]) => /\.h$/.test(name) && !ofCore(name))
        .map((m) => [m, explainLayerOf(m[1])])
        .filter(([, layer]) => layer !== own && !explainLayers[own]?.includes(layer))
        .map(([m, layer]) => [m.index, `is of ${own} and includes ${m[1]} of ${layer ?? 'no folder before it'}`]);
    },
  },
  {
    name: 'a folder of the package imports only folders before it',
    files: packaged,
    find: (source, file) => {
      const own = packageLayerOf(file);
      return relativeImports(source, file)
        .map(([m, imported]) => [m, packageLayerOf(imported)])
        .filter(([, layer]) => layer !== own && own !== 'entries' && !packageLayers[own]?.includes(layer))
        .map(([m, layer]) => [m.index, `is of ${own} and imports ${m[1]} of ${layer}`]);
    },
  },
  {
    name: 'a folder of the page imports only folders before it',
    files: web,
    find: (source, file) => {
      const own = pageLayerOf(file);
      return relativeImports(source, file)
        .map(([m, imported]) => [m, pageLayerOf(imported)])
        .filter(([, layer]) => layer !== null && layer !== own && rowOf(layer) >= rowOf(own))
        .map(([m, layer]) => [m.index, `is of ${own} and imports ${m[1]} of ${layer}`]);
    },
  },
  {
    name: 'wasm includes only broadloom/broadloom.h of the core, and headers of what explains',
    files: /^wasm\/.*\.(h|cc)$/,
    find: (source, file, read) =>
      includes(source)
        .filter(
          ([, name]) =>
            /\/|\.(h|cc)$/.test(name) &&
            name !== 'broadloom/broadloom.h' &&
            !name.startsWith('broadloom/explain/') &&
            read(`wasm/bindings/${name}`) === null &&
            !/^emscripten(\/|\.h$)/.test(name) &&
            !/^wasm_simd128\.h$/.test(name),
        )
        .map((m) => [m.index, `includes ${m[1]}`]),
  },
  {
    // Sentences about arguments are written as those of the core are.
    name: 'the C interface includes public headers only, and the writer of sentences',
    files: /^c\/.*\.(h|cc)$/,
    find: (source, file, read) =>
      includes(source)
        .filter(
          ([, name]) =>
            /\.h$/.test(name) &&
            !/^std(?:def|int)\.h$/.test(name) &&
            !/^broadloom\/(?:broadloom|c|dlpack|explain\/\w+|internal\/arithmetic)\.h$/.test(name) &&
            name !== 'text/text_writer.h' &&
            read(`c/src/${name}`) === null,
        )
        .map((m) => [m.index, `includes ${m[1]}`]),
  },
  {
    name: 'the Python module includes only public headers of the core and of what explains',
    files: /^python\/.*\.(h|cc)$/,
    find: (source) =>
      includes(source)
        .filter(([, name]) => name.startsWith('broadloom/'))
        .filter(([, name]) => !/^broadloom\/(?:broadloom|threads|explain\/\w+)\.h$/.test(name))
        .map((m) => [m.index, `includes ${m[1]}`]),
  },
  {
    name: 'the page imports only public entries of the package, and only in its folder engine',
    files: web,
    find: (source, file) =>
      imports(source)
        .filter(([, name]) =>
          /^broadloom(?:\/(?:floats|link|models|npy))?$/.test(name)
            ? !file.startsWith('web/src/engine/')
            : /^broadloom\/|(^|\/)\.\.\/(wasm|core|build)\//.test(name),
        )
        .map((m) => [m.index, `imports ${m[1]}`]),
  },
  {
    name: 'no file names a package registry or a path of one machine',
    files: text,
    find: (source) =>
      matches(
        source,
        /\b(?:registry\.(?:npmjs|yarnpkg)|deb\.debian|snapshot\.debian|files\.pythonhosted|pypi|proxy\.golang)\.(?:org|com)\b|"resolved": "https?:|(?<![\w.:/$}~*-])\/(?:work|farm|root|home\/\w+|Users\/\w+)\//g,
      ),
  },
  {
    name: 'no built file is tracked',
    files: /./,
    find: (source, file) =>
      /\.(wasm|o|a|so|dylib|tgz|node|exe)$|(^|\/)(node_modules|dist)\//.test(file) ? [[0, 'is a built file']] : [],
  },
];

// The functions and types that a header defines, by name. They begin a line: all are members of one namespace.
const definitions = (source) => [
  ...codeOnly(source).matchAll(
    /^(?:\[\[\w+\]\] |inline |constexpr |consteval )*(?:[\w:]+(?:<[^;\n]*>)?[&*]* )+(\w+)\([^;{]*\{|^(?:class|struct|enum class) (\w+)\b[^;{]*\{/gm,
  ),
];
// The headers that define each name.
const definedInFiles = new WeakMap();
function definedIn(files, read) {
  if (!definedInFiles.has(files)) {
    const found = new Map();
    for (const file of files.filter((candidate) => headers.test(candidate))) {
      for (const [, functionName, typeName] of definitions(read(file))) {
        const name = functionName ?? typeName;
        found.set(name, [...new Set([...(found.get(name) ?? []), file])]);
      }
    }
    definedInFiles.set(files, found);
  }
  return definedInFiles.get(files);
}

function matches(source, pattern) {
  return [...source.matchAll(pattern)].map((m) => [m.index, `has ${m[0].trim()}`]);
}

// Where the .cc of a public header lies, by the header's name. A header that is named after folder and source is that
// source's: sum_plan.h is sum/plan.cc's, plan.h another plan.cc's.
const coreFiles = projectFiles(root).filter((file) => file.startsWith('core/'));
const headerNames = new Set(coreFiles.map((file) => /^core\/include\/.*?(\w+)\.h$/.exec(file)?.[1]));
const sources = new Map(
  coreFiles
    .filter((file) => /^core\/src\/.*\.cc$/.test(file))
    .map((file) => {
      const folder = path.dirname(file).slice('core/src/'.length);
      const name = path.basename(file, '.cc');
      const full = `${path.basename(folder)}_${name}`;
      return [headerNames.has(full) ? full : name, folder];
    }),
);

// The folder of a core file, or of an included name; null if it is not a file of the core.
function layerOf(name) {
  const header = /^(?:core\/include\/)?broadloom\/(?:internal\/)?(\w+)\.h$/.exec(name);
  if (header) return headersAlone[header[1]] ?? sources.get(header[1]) ?? null;
  const folder = path.dirname(name.replace(/^core\/src\//, ''));
  return Object.hasOwn(layers, folder) ? folder : null;
}

// The folder of a file that explains, or of an included name. A public header belongs to the folder of its .cc file.
const explainSources = new Map(
  projectFiles(root)
    .map((file) => /^explain\/src\/(\w+)\/(\w+)\.cc$/.exec(file))
    .filter((found) => found !== null)
    .map(([, folder, name]) => [name, folder]),
);
function explainLayerOf(name) {
  const header = /^(?:explain\/include\/)?broadloom\/explain\/(\w+)\.h$/.exec(name);
  if (header) return explainHeadersAlone[header[1]] ?? explainSources.get(header[1]) ?? null;
  const folder = path.dirname(name.replace(/^explain\/src\//, ''));
  return Object.hasOwn(explainLayers, folder) ? folder : null;
}

const packageLayerOf = (file) => /^wasm\/src\/([\w-]+)\//.exec(file)?.[1] ?? 'entries';

// The folder of a page's file; 'main' for the modules at the top. Null for data, styles and files outside the page.
function pageLayerOf(file) {
  const [, folder = 'main', name] = /^web\/src\/(?:([\w-]+)\/)?(.*)$/.exec(file) ?? [null, 'wasm', ''];
  return /\.(?:css|json)$/.test(name) ? null : folder;
}
const rowOf = (layer) => pageLayers.findIndex((row) => row.includes(layer));

// The relative imports of a file as [match, imported file without its extension].
function relativeImports(source, file) {
  return imports(source)
    .filter(([, name]) => /^\.(?!.*\.mjs$)/.test(name))
    .map((m) => [m, path.join(path.dirname(file), m[1]).replace(/\.(?:js|ts|tsx)$/, '')]);
}

// Returns, for each check, its name and its violations as lines.
function checkBoundaries(folder) {
  const files = projectFiles(folder);
  const texts = new Map();
  // The text of a project file; null if there is no such file.
  const read = (file) => {
    if (!files.includes(file)) return null;
    if (!texts.has(file)) texts.set(file, readFileSync(path.join(folder, file), 'utf8'));
    return texts.get(file);
  };
  return checks.map(({ name, files: looksAt, find }) => {
    const violations = [];
    for (const file of files.filter((candidate) => looksAt.test(candidate))) {
      const source = read(file);
      for (const [offset, why] of find(source, file, read, files)) {
        violations.push(`${file}:${source.slice(0, offset).split('\n').length}: ${why} (${name})`);
      }
    }
    return { name, violations };
  });
}

await main(() => {
  const results = checkBoundaries(process.argv[2] ?? root);
  for (const { violations } of results) violations.forEach((line) => console.log(line));
  const failed = results.filter(({ violations }) => violations.length > 0).length;
  console.log(`${results.length - failed} passed, ${failed} failed`);
  if (failed > 0) process.exitCode = 1;
});
