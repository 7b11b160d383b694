// Compares an audit with what oracle.py says of the same file.

/** The disagreements, as lines; and how many extents both know. */
export function compare(audit, answer) {
  const lines = [];
  const counts = { nodes: 0, extents: 0, onlyAudit: 0, onlyOracle: 0 };
  const report = (node, what) => lines.push(`${answer.file}: ${node.op} ${node.name}: ${what}`);
  const sameExtents = (node, what, own, other) => {
    if (own === null && other !== null) counts.onlyOracle += other.length || 1;
    if (own !== null && other === null) counts.onlyAudit += own.length || 1;
    if (own === null || other === null) return;
    if (own.length !== other.length) return void report(node, `${what} (${own}), but (${other})`);
    own.forEach((extent, axis) => {
      const isKnown = typeof extent !== 'string';
      const isOtherKnown = typeof other[axis] === 'number';
      if (isKnown && isOtherKnown) {
        counts.extents += 1;
        if (Number(extent) !== other[axis]) report(node, `${what} (${own}), but (${other})`);
      } else if (isKnown) counts.onlyAudit += 1;
      else if (isOtherKnown) counts.onlyOracle += 1;
    });
  };

  // A node with two questions, such as LayerNormalization, has two entries; those of functions are not in the answer.
  const key = ({ op, name }) => `${op} ${name}`;
  const own = groupBy(audit.nodes, key);
  const others = groupBy(answer.nodes, key);
  for (const [each, [node]] of others) if (!own.has(each)) report(node, 'is not in the audit');
  for (const [each, nodes] of own) {
    const found = others.get(each);
    if (found === undefined) {
      if (answer.functions === 0) report(nodes[0], 'is not in the answer');
      continue;
    }
    const entries = nodes[0].op === 'LayerNormalization' ? 1 : nodes.length;
    if (found.length !== entries) report(nodes[0], `is there ${entries} times, but ${found.length} times`);
    nodes.forEach((node, i) => {
      const other = found[Math.min(i, found.length - 1)];
      counts.nodes += 1;
      for (const operand of node.operands) {
        const input = other.inputs.find(([name]) => name === operand.name);
        if (input !== undefined) sameExtents(node, `operand ${operand.name} is`, operand.shape, input[1]);
      }
      if (node.fits !== false) sameExtents(node, 'the result is', node.shape, other.output);
    });
  }
  const clashes = audit.nodes.filter(({ fits }) => fits === false);
  if (clashes.length > 0 && answer.error === null) report(clashes[0], `clashes, but not there: ${clashes[0].verdict}`);
  return { lines, counts, clashes };
}

function groupBy(list, key) {
  const groups = new Map();
  for (const each of list) groups.set(key(each), [...(groups.get(key(each)) ?? []), each]);
  return groups;
}
