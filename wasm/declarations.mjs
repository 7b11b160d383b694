// Bundles the declaration files that TypeScript made of the sources: one for each entry, with the declarations that
// only that entry needs, and declarations.d.ts, with those that several entries need. No declaration is written twice,
// since a class with private members is a type of its own wherever it is declared.
//
// It is not a general bundler: it refuses modules that rename what they import or export, names that are declared
// twice, and types of the form `import('...')`. General ones do not serve here: rolldown-plugin-dts needs Node 22;
// rollup-plugin-dts needs TypeScript 6 beside 7, and exports as values the classes that entries export as types; API
// Extractor writes a class again for each entry.

import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { parseAst } from 'rolldown/parseAst';

const SHARED = 'declarations';

/** Bundles the declaration files of `entries`, names without an ending, from the folder `from` into the folder `to`. */
export async function bundleDeclarations(entries, from, to) {
  const read = makeReader();
  const bundles = entries.map((name) => {
    const { exported, reexported } = read(resolve(from, `${name}.d.ts`));
    const exports = exported.map(({ find, isType }) => ({ declaration: find(), isType }));
    return { name, reexported, exports, needed: withUses(exports.map(({ declaration }) => declaration)) };
  });

  const isShared = (declaration) => bundles.filter(({ needed }) => needed.has(declaration)).length > 1;
  const shared = [...new Set(bundles.flatMap(({ needed }) => [...needed]))].filter(isShared);
  const imported = new Set();
  for (const { name, reexported, exports, needed } of bundles) {
    const own = [...needed].filter((declaration) => !isShared(declaration));
    const used = new Set(own.flatMap(({ uses }) => uses()).filter(isShared));
    const ofShared = exports.filter(({ declaration }) => isShared(declaration));
    for (const declaration of [...used, ...ofShared.map(({ declaration }) => declaration)]) imported.add(declaration);
    checkNames([...own, ...used]);
    await write(resolve(to, `${name}.d.ts`), [
      list('import', namesOf(used), SHARED),
      ...own.map(({ text }) => text),
      ...reexported,
      list('export', exportsOf(ofShared), SHARED),
      list('export', exportsOf(exports.filter(({ declaration }) => !isShared(declaration)))),
    ]);
  }
  checkNames(shared);
  await write(resolve(to, `${SHARED}.d.ts`), [...shared.map(({ text }) => text), list('export', namesOf(imported))]);
}

/** Makes a function that returns the module of a declaration file, and reads each file once. */
function makeReader() {
  const modules = new Map();
  return function read(file) {
    let module = modules.get(file);
    if (module === undefined) modules.set(file, (module = readModule(file, read)));
    return module;
  };
}

/**
 * Reads a declaration file. `exported` are the names that it exports, and `reexported` its statements that export all
 * of another entry. `find` returns the declaration of a name in the module, undefined for a global name.
 */
function readModule(file, read) {
  const source = readFileSync(file, 'utf8');
  const declarations = new Map();
  const imports = new Map(); // by name, the file that it comes from
  const exported = [];
  const reexported = [];
  const find = (name) => declarations.get(name) ?? (imports.has(name) ? read(imports.get(name)).find(name) : undefined);
  const addExport = (name, isType) => exported.push({ find: () => find(name), isType });

  let end = 0;
  for (const node of parseAst(source, { lang: 'dts' }, file).body) {
    if (node.type === 'ExportAllDeclaration') {
      reexported.push(source.slice(node.start, node.end));
    } else if (node.type === 'ImportDeclaration' || node.specifiers?.length > 0) {
      for (const specifier of node.specifiers) {
        const name = (specifier.imported ?? specifier.local).name;
        if (name !== (specifier.exported ?? specifier.local).name) throw new Error(`${file}: ${name} is renamed`);
        if (node.source) imports.set(name, resolve(dirname(file), node.source.value.replace(/\.js$/, '.d.ts')));
        if (specifier.exported) addExport(name, node.exportKind === 'type' || specifier.exportKind === 'type');
      }
    } else if (node.type !== 'ExportNamedDeclaration' || node.declaration) {
      const declared = node.declaration ?? node;
      const { name } = declared.id ?? declared.declarations[0].id;
      const comment = /\/\*\*(?:(?!\*\/)[^])*\*\/\s*$/.exec(source.slice(end, node.start))?.[0] ?? '';
      const text = comment + source.slice(node.start, node.end).replace(/^export /, '');
      // Overloads, and an interface that extends a class, are one declaration.
      const known = declarations.get(name);
      const words = wordsIn(declared, known?.words);
      const uses = () => [...words].map(find).filter((used) => used !== undefined);
      declarations.set(name, { name, text: known ? `${known.text}\n${text}` : text, words, uses });
      if (node !== declared && !known) addExport(name, false);
    }
    end = node.end;
  }
  return { exported, reexported, find };
}

/** Adds all names that a declaration may refer to. Names of properties are not among them. */
function wordsIn(node, words = new Set()) {
  if (Array.isArray(node)) for (const each of node) wordsIn(each, words);
  if (typeof node?.type !== 'string') return words;
  if (node.type === 'TSImportType') throw new Error("a type has the form import('...'): import it by name");
  if (node.type === 'Identifier') words.add(node.name);
  for (const [field, value] of Object.entries(node)) {
    if (field !== 'key' || node.computed) wordsIn(value, words);
  }
  return words;
}

/** The declarations, and all that they use. */
function withUses(declarations) {
  const found = new Set(declarations);
  for (const { uses } of found) for (const used of uses()) found.add(used);
  return found;
}

/** Checks that the declarations of a file have a name each. */
function checkNames(declarations) {
  const names = namesOf(declarations);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined)
    throw new Error(`${twice} is declared in two modules, which are bundled: rename one of them`);
}

const namesOf = (declarations) => [...declarations].map(({ name }) => name);
const exportsOf = (exports) => exports.map(({ declaration: { name }, isType }) => (isType ? `type ${name}` : name));

/** An import or export of names, or nothing where there are none. */
function list(keyword, names, module) {
  if (names.length === 0) return '';
  return `${keyword} {\n${names.map((name) => `  ${name},\n`).join('')}}${module ? ` from './${module}.js'` : ''};`;
}

async function write(file, parts) {
  const text = parts.filter(Boolean).join('\n');
  // TypeScript 5.2 has the type of Symbol.dispose in a library of its own.
  const reference = text.includes('Symbol.dispose') ? '/// <reference lib="esnext.disposable" />\n' : '';
  await writeFile(file, `${reference}${text}\n`);
}
