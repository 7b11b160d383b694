// The texts of messages in the sources: their constant parts and where they are. A template is a list of constant parts
// with anything between them.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAst } from 'rolldown/parseAst';

/** Whether it is a text and not a name or a symbol: texts of messages contain a space. */
const isWords = (pieces) => pieces.some((piece) => /[A-Za-z]/.test(piece)) && pieces.some((piece) => / /.test(piece));

const lineAt = (source, offset) => source.slice(0, offset).split('\n').length;

// --- TypeScript ------------------------------------------------------------------------------------------------------

/**
 * The templates of a folder's TypeScript: every string and template literal that is a text, joined where `+` joins
 * them. Each text within a `${}` is a separate template.
 *
 * @returns A list of {file, line, pieces}.
 */
export function typescriptTemplates(folder, isLeftOut) {
  const files = readdirSync(folder, { recursive: true }).filter((name) => /(?<!\.d)\.ts$/.test(name));
  return files
    .filter((name) => !isLeftOut(name))
    .sort()
    .flatMap((file) => {
      const source = readFileSync(join(folder, file), 'utf8');
      const found = [];
      visit(parseAst(source, { lang: 'ts' }), (pieces, start) => {
        if (isWords(pieces)) found.push({ file, line: lineAt(source, start), pieces });
      });
      return found;
    });
}

// Types and names of modules are not texts.
const OTHER = /^TS(?!AsExpression|NonNull|Satisfies)|^(Import|ExportAll)Declaration$|^ImportExpression$/;
const OF_TYPES = /^type(Annotation|Arguments|Parameters)$|^returnType$/;

function visit(node, take) {
  if (Array.isArray(node)) return node.forEach((each) => visit(each, take));
  if (typeof node !== 'object' || node === null || OTHER.test(node.type)) return;
  const pieces = piecesOf(node, take);
  if (pieces !== null) return take(pieces, node.start);
  for (const [key, child] of Object.entries(node)) if (!OF_TYPES.test(key)) visit(child, take);
}

/** The constant parts of an expression that makes a text; null for any other expression. */
function piecesOf(node, take) {
  if (node.type === 'Literal') return typeof node.value === 'string' ? [node.value] : null;
  if (node.type === 'TemplateLiteral') {
    visit(node.expressions, take);
    return node.quasis.map(({ value }) => value.cooked);
  }
  if (node.type !== 'BinaryExpression' || node.operator !== '+') return null;
  const [left, right] = [piecesOf(node.left, take), piecesOf(node.right, take)];
  if (left === null || right === null) return null;
  return [...left.slice(0, -1), left.at(-1) + right[0], ...right.slice(1)];
}

// --- C++ -------------------------------------------------------------------------------------------------------------

/**
 * The templates that `function_` of a C++ file writes, itself or through other functions of the file: the texts of each
 * statement in order; texts of an alternative in parentheses are separate.
 *
 * @returns A list of {file, line, pieces}.
 */
export function cppTemplates(files, function_) {
  const functions = new Map(files.flatMap((file) => [...functionsOf(file)]));
  const reached = new Set([function_]);
  // Entries added to a set while it is iterated are visited too.
  for (const name of reached) {
    for (const [, called] of (functions.get(name)?.body ?? '').matchAll(/\b(\w+)(?=\()/g)) {
      if (functions.has(called)) reached.add(called);
    }
  }
  if (!functions.has(function_)) throw new Error(`there is no ${function_} in ${files.join(', ')}`);
  return [...reached].flatMap((name) => {
    const { body, start, file, source } = functions.get(name);
    return templatesIn(body).map(({ pieces, offset }) => ({
      file: file.replace(/^.*\//, ''),
      line: lineAt(source, start + offset),
      pieces,
    }));
  });
}

/** The functions of a file by name: in Google's style a body ends with a brace in the first column. */
function functionsOf(file) {
  const source = readFileSync(file, 'utf8');
  const functions = new Map();
  for (const match of source.matchAll(/^[\w:<>&* ]*\b(\w+)\([^;{}]*\)(?: noexcept)? \{\n[^]*?^\}/gm)) {
    functions.set(match[1], { body: match[0], start: match.index, file, source });
  }
  return functions;
}

function templatesIn(body) {
  const templates = [];
  let statement = []; // texts outside parentheses
  let depth = 0;
  let last = null; // the previous text, to which another one is joined if nothing else is between them
  const end = () => {
    if (statement.length > 0)
      templates.push({ pieces: statement.map(({ text }) => text), offset: statement[0].offset });
    statement = [];
    last = null;
  };
  for (const { 0: token, index } of body.matchAll(/\/\/.*|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)'|::|[^\s]/g)) {
    if (token.startsWith('//')) continue;
    if (token.startsWith('"')) {
      const text = JSON.parse(token);
      if (last !== null) last.text += text;
      else {
        last = { text, offset: index };
        if (depth === 0) statement.push(last);
        else templates.push({ pieces: [last], offset: index });
      }
      continue;
    }
    last = null;
    if (token === '(') ++depth;
    else if (token === ')') --depth;
    else if (/^[{};]$/.test(token)) {
      end();
      depth = 0;
    } else if (depth === 0 && /^[?:]$/.test(token)) end();
  }
  end();
  // Alternatives were added when they were joined.
  return templates
    .map(({ pieces, offset }) => ({ pieces: pieces.map((piece) => piece.text ?? piece), offset }))
    .filter(({ pieces }) => isWords(pieces));
}

// --- Matching --------------------------------------------------------------------------------------------------------

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Whether a message contains the parts in order. A part may begin a sentence in one place and be inside one elsewhere. */
export function matcherOf({ pieces }) {
  const pattern = new RegExp(pieces.map(escaped).join('[^]*'), 'i');
  return (message) => pattern.test(message);
}

export const shown = ({ file, line, pieces }) => `${file}:${line}: ${pieces.join('…')}`;
