// The package's promised exports: the names of each entry, and the kind of each. exports.json is edited by hand, since
// each line of it is a promise.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import ts from 'typescript';
import { inRoot } from '../../scripts/paths.mjs';
import '../package/zarrita-place.mjs';

const promised = JSON.parse(readFileSync(new URL('exports.json', import.meta.url), 'utf8'));
const { exports } = JSON.parse(readFileSync(inRoot('wasm/package.json'), 'utf8'));
const typed = Object.entries(exports).filter(([, target]) => target.types !== undefined);

const KINDS = {
  [ts.SyntaxKind.ClassDeclaration]: 'class',
  [ts.SyntaxKind.FunctionDeclaration]: 'function',
  [ts.SyntaxKind.InterfaceDeclaration]: 'interface',
  [ts.SyntaxKind.TypeAliasDeclaration]: 'type',
  [ts.SyntaxKind.VariableDeclaration]: 'variable',
};
const VALUES = ['class', 'function', 'variable'];

// The kind of each name that a declaration file exports (a class exported only as a type is a `type`), and the names without
// a doc comment.
function namesIn(file) {
  const options = {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'],
    types: [],
  };
  const program = ts.createProgram([file], options);
  const checker = program.getTypeChecker();
  const symbol = checker.getSymbolAtLocation(program.getSourceFile(file));
  const targetOf = (exported) =>
    exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
  const kindOf = (exported) => {
    const kinds = targetOf(exported).declarations.map(({ kind }) => KINDS[kind] ?? ts.SyntaxKind[kind]);
    const kind = kinds.find((each) => VALUES.includes(each)) ?? kinds[0];
    return VALUES.includes(kind) && isTypeOnly(exported) ? 'type' : kind;
  };
  const all = checker.getExportsOfModule(symbol).sort((a, b) => (a.name < b.name ? -1 : 1));
  return {
    kinds: Object.fromEntries(all.map((exported) => [exported.name, kindOf(exported)])),
    undocumented: all
      .filter((exported) => targetOf(exported).getDocumentationComment(checker).length === 0)
      .map(({ name }) => name),
  };

  // `export type { Name }`, or through `export type *`.
  function isTypeOnly(exported) {
    return exported.declarations?.some((declaration) => ts.isTypeOnlyExportDeclaration(declaration)) ?? false;
  }
}

test('the entries are the promised ones', () => {
  assert.deepEqual(Object.keys(exports), [...Object.keys(promised), './package.json']);
  assert.deepEqual(
    typed.map(([entry]) => entry),
    Object.keys(promised),
  );
  for (const [entry, target] of typed) assert.deepEqual(Object.keys(target), ['types', 'default'], entry);
});

for (const [entry, target] of typed) {
  test(`${entry.replace('.', 'broadloom')} exports what is promised`, async () => {
    const { kinds, undocumented } = namesIn(inRoot('wasm', target.types));
    assert.deepEqual(kinds, promised[entry]);
    assert.deepEqual(undocumented, []);
    if (target.default.endsWith('.wasm')) return;
    const module = await import(inRoot('wasm', target.default));
    const values = Object.keys(kinds).filter((name) => VALUES.includes(kinds[name]));
    assert.deepEqual(Object.keys(module).sort(), values.sort());
    for (const name of values) {
      const value = module[name];
      const isClass = typeof value === 'function' && /^class\b/.test(Function.prototype.toString.call(value));
      assert.equal(isClass ? 'class' : typeof value === 'function' ? 'function' : 'variable', kinds[name], name);
    }
  });
}

test('broadloom/inline has all exports of broadloom', () => {
  const missing = Object.entries(promised['.']).filter(([name, kind]) => promised['./inline'][name] !== kind);
  assert.deepEqual(missing, []);
});
