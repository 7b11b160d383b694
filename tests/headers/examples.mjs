// Finds the examples in a header: indented lines after `Example:`.
import { readFileSync } from 'node:fs';

// The examples of a header: the line at which the code begins, and the code.
export function examplesIn(file) {
  const lines = readFileSync(file, 'utf8').split('\n');
  const found = [];
  lines.forEach((line, at) => {
    if (!/^\s*\/\/.*\bexamples?\b/i.test(line)) return;
    let begin = at + 1;
    while (/^\s*\/\/ \S/.test(lines[begin]) && !/:$/.test(lines[begin - 1])) ++begin;
    let end = begin;
    while (/^\s*\/\/(?: {3}|$)/.test(lines[end])) ++end;
    const code = lines.slice(begin, end).map((text) => text.replace(/^\s*\/\/ {0,3}/, ''));
    found.push({ line: begin + 1, code: code.join('\n').trimEnd() });
  });
  return found;
}
