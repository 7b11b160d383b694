// The list of a model's broadcasting nodes; before a model is opened, what can be opened. Nothing of a file is set as markup.

import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import '../components/toggles.css';
import '../components/whole-view.css';
import './models.css';
import { Words } from '../components/words';
import { useEngine } from '../context/context';
import { MOST_OPERANDS, type RuleEntry } from '../engine/engine';
import { systems } from '../rules/references';
import { bytesText, countText } from '../text/format';
import { type Filter, filter, filters, nodesPerPage, numbers, page } from './filter';
import { chooseFiles } from './follow-drops';
import type { ListedNode } from './listed-node';
import { listedText, stateOfNode } from './node-state';
import { cancel, openNode } from './open-model';
import { openModel, type OpenModel, shownNode } from './opened';

export function Models() {
  const core = useEngine();
  const model = openModel.value;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // Back from a node, its row has the focus.
    const row = shownNode.peek() && document.getElementById(`node-${shownNode.peek()?.index}`);
    if (row) row.focus();
    else heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <main class="models whole-view" id="answer" data-state="models" data-phase={model?.phase ?? 'none'}>
      <div class="about">
        <h2 tabIndex={-1} ref={heading}>
          {model ? <bdi>{model.name}</bdi> : 'Check a model'}
        </h2>
        <div role="status" aria-live="polite">
          {model ? <Phase model={model} /> : <Invitation />}
        </div>
        <p class="ways">
          {model?.phase === 'reading' ? (
            <button type="button" id="stop-reading" onClick={cancel}>
              Stop reading
            </button>
          ) : (
            <button type="button" class={model ? 'quiet' : 'main'} id="choose-model" onClick={() => chooseFiles(core)}>
              {model ? 'Open another…' : 'Choose a file…'}
            </button>
          )}
          <span class="note">The file is read in this browser. Nothing is uploaded.</span>
        </p>
      </div>
      {model?.phase === 'read' && model.nodes.length > 0 && <Nodes />}
    </main>
  );
}

function Invitation() {
  return (
    <>
      <p class="lead">
        Drop an <b>.onnx</b> file, or the <b>.xml</b> file of an OpenVINO model (with its <b>.bin</b>, if you have it),
        anywhere on this page.
      </p>
      <p class="note">
        You get a list of all nodes that broadcast: the shapes of their operands, whether they fit, what to check, and
        where OpenVINO or ONNX Runtime behave differently. Each node opens in the playground.
      </p>
    </>
  );
}

const formats = { onnx: 'ONNX', openvino: 'OpenVINO IR' } as const;

const plural = (count: number, one: string, more: string): string => `${countText(count)} ${count === 1 ? one : more}`;

function Phase({ model }: { model: OpenModel }) {
  const { phase, message, format, nodes, total, lacksWeights, others, size } = model;
  if (phase === 'reading') return <p class="lead">Reading {bytesText(BigInt(size))}…</p>;
  if (phase === 'failed')
    return (
      <p class="reason">
        <b>This file cannot be read.</b> <Words text={message} />
      </p>
    );
  const count = (fits: boolean | null): number => nodes.filter((node) => node.fits === fits).length;
  const clashes = count(false);
  const open = count(null);
  return (
    <>
      <p class="lead">
        {total === 0
          ? 'No node of this model broadcasts.'
          : `${plural(total, 'node broadcasts', 'nodes broadcast')}: ${[
              `${plural(count(true), 'fits', 'fit')}`,
              ...(clashes > 0 ? [plural(clashes, 'does not fit', 'do not fit')] : []),
              ...(open > 0 ? [`${plural(open, 'depends', 'depend')} on sizes that the file does not state`] : []),
            ].join(', ')}.`}{' '}
        <span class="note">
          {format && formats[format]} · {bytesText(BigInt(size))}
        </span>
      </p>
      {total > nodes.length && (
        <p class="note">
          The first {countText(nodes.length)} of {countText(total)} are listed.
        </p>
      )}
      {lacksWeights && (
        <p class="note">
          Without its .bin file, shapes that are stored as constants, such as the target of a Broadcast, are unknown.
        </p>
      )}
      {others > 0 && (
        <p class="note">One model is shown at a time: {plural(others, 'other was', 'others were')} not read.</p>
      )}
    </>
  );
}

/** What is said where a filter lists no node. */
const none: Readonly<Record<Filter, string>> = {
  all: '',
  problems: 'No node clashes or has a warning.',
  depends: 'No node depends on sizes that the file does not say.',
  differ: 'At no node is a system known to differ.',
};

function Nodes() {
  const found = numbers.value;
  const shown = found[filter.value];
  const pages = Math.max(1, Math.ceil(shown.length / nodesPerPage));
  const at = Math.min(page.value, pages - 1);
  const begin = at * nodesPerPage;
  const nodes = openModel.value?.nodes ?? [];
  const list = useRef<HTMLElement>(null);
  const turned = useRef(false);
  // A page that was turned begins at its top.
  useLayoutEffect(() => {
    if (turned.current) list.current?.scrollIntoView({ block: 'start' });
    turned.current = false;
  }, [at]);
  const turn = (to: number): void => {
    turned.current = true;
    page.value = to;
  };
  return (
    <section class="nodes" aria-label="Nodes that broadcast" ref={list}>
      <form class="filters" aria-label="Filter the nodes" onSubmit={(event) => event.preventDefault()}>
        <fieldset class="toggles either">
          <legend class="unseen">Which nodes</legend>
          {filters.map(([name, words]) => (
            <label key={name}>
              <input
                type="radio"
                name="nodes"
                value={name}
                checked={filter.value === name}
                onChange={() => {
                  filter.value = name;
                  page.value = 0;
                }}
              />
              <span class="face">
                {words} <span class="count">{countText(found[name].length)}</span>
              </span>
            </label>
          ))}
        </fieldset>
        <Pager at={at} pages={pages} turn={turn} />
      </form>
      {shown.length === 0 ? (
        <p class="note none" role="status">
          {none[filter.value]}
        </p>
      ) : (
        <ol class="rows" start={begin + 1}>
          {shown.slice(begin, begin + nodesPerPage).map((index) => {
            const node = nodes[index];
            return node && <Row key={index} node={node} index={index} />;
          })}
        </ol>
      )}
      {pages > 1 && shown.length > 12 && <Pager at={at} pages={pages} turn={turn} again />}
    </section>
  );
}

interface PagerProps {
  at: number;
  pages: number;
  turn: (to: number) => void;
  /** Whether there is another one on the page. */
  again?: boolean;
}

function Pager({ at, pages, turn, again }: PagerProps) {
  if (pages === 1) return null;
  const button = (words: string, to: number) => (
    <button
      type="button"
      class="quiet"
      aria-disabled={to < 0 || to >= pages}
      onClick={() => to >= 0 && to < pages && turn(to)}
    >
      {words}
    </button>
  );
  return (
    <div class="pager" role="group" aria-label={again ? 'Pages of the list, below it' : 'Pages of the list'}>
      {button('Previous', at - 1)}
      <span class="note">
        page {countText(at + 1)} of {countText(pages)}
      </span>
      {button('Next', at + 1)}
    </div>
  );
}

const badges = {
  true: ['fits', '✓ ', 'fits'],
  warned: ['check-it', '⚠ ', 'fits, but check'],
  false: ['fails', '✕ ', 'does not fit'],
  null: ['depends', '? ', 'depends'],
} as const;

/** Operands of a node that are shown; the rest is counted. */
const mostShown = 6;

/** The system that differs, as the comparison calls it. */
const titleOf = (system: string): string => systems.find(([id]) => id === system)?.[1] ?? 'A document';

/** Whether a rule is what broadcasting usually means, and need not be named. */
const isUsual = ({ placement, reference, stretches }: RuleEntry): boolean =>
  placement === 'right' && reference === 'everyone' && stretches;

function Row({ node, index }: { node: ListedNode; index: number }) {
  const core = useEngine();
  const { fits, verdict, warnings, differs, name, op, shapes, operandCount, target, result } = node;
  const opens = stateOfNode(node) !== null;
  const [look, sign, words] = badges[fits === true && warnings.length > 0 ? 'warned' : (`${fits}` as 'true')];
  const rule = core.vocabulary.rules.find((each) => each.name === node.rule);
  const head = (
    <>
      <span class={`badge ${look}`}>
        <span aria-hidden="true">{sign}</span>
        {words}
      </span>
      <b class="op">{op}</b>
      <span class="mono shapes">
        {shapes.slice(0, mostShown).map((shape, i) => (
          <>
            {i > 0 && <i> with </i>}
            {listedText(shape)}
          </>
        ))}
        {operandCount > mostShown && <i> and {countText(operandCount - mostShown)} more</i>}
        {target && (
          <>
            <i> to </i>
            {listedText(target)}
          </>
        )}
        {fits !== false && (
          <>
            <i> gives </i>
            <b>{listedText(result)}</b>
          </>
        )}
      </span>
      <span class="where">
        <bdi>{name}</bdi>
        {rule && !isUsual(rule) && ` · ${rule.title}`}
        {node.axis !== null && `, axis ${node.axis}`}
      </span>
    </>
  );
  return (
    <li class={look} data-node={index} data-fits={String(fits)}>
      {opens ? (
        <button type="button" class="head" id={`node-${index}`} onClick={() => openNode(index)}>
          {head}
        </button>
      ) : (
        <div class="head">{head}</div>
      )}
      {(fits !== true || warnings.length > 0 || differs.length > 0 || !opens) && (
        <ul class="remarks">
          {fits !== true && (
            <li>
              <Words text={verdict} />
            </li>
          )}
          {warnings.map((message) => (
            <li key={message}>
              <span aria-hidden="true">⚠ </span>
              <Words text={message} />
            </li>
          ))}
          {differs.map(({ system, message }) => (
            <li key={system + message}>
              <b>{titleOf(system)} differs:</b> <Words text={message} />
            </li>
          ))}
          {!opens && (
            <li class="note">
              {operandCount > MOST_OPERANDS
                ? `It has ${countText(operandCount)} operands. Of more than ${MOST_OPERANDS}, only the shapes are checked, and the playground does not show them.`
                : 'The playground cannot show this node.'}
            </li>
          )}
        </ul>
      )}
    </li>
  );
}
