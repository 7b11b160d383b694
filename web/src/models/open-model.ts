// Opens a model file: starts the worker that reads it, collects the nodes that it finds, and shows them on the page.

import { focusNext } from '../page/focus';
import { withoutTurns } from '../state/state';
import { state, update } from '../store/store';
import { clean, type AuditReply, type AuditRequest, type ListedNode } from './listed-node';
import { stateOfNode } from './node-state';
import { openModel, refusal, visited } from './opened';
// oxlint-disable-next-line import/default -- Vite makes it: the address of the worker's script.
import workerAddress from './audit-worker?worker&url';

/** A file is given up after so many milliseconds. */
const patience = 120_000;
/** The most nodes that undo finds again. */
const mostVisited = 200;

let policy: { createScriptURL(url: string): string } | undefined;
function startWorker(): Worker {
  policy ??= window.trustedTypes?.createPolicy('broadloom-models', {
    // The only script that is ever started.
    createScriptURL: () => workerAddress,
  });
  return new Worker(policy?.createScriptURL('') ?? workerAddress, { type: 'module' });
}

let worker: Worker | null = null;
let givingUp: ReturnType<typeof setTimeout> | undefined;

function stop(): void {
  clearTimeout(givingUp);
  worker?.terminate();
  worker = null;
}

function fail(message: string): void {
  stop();
  const now = openModel.value;
  if (now) openModel.value = { ...now, phase: 'failed', message };
}

/** Stops reading. */
export const cancel = (): void => fail('You stopped the reading.');

/** Forgets the model. */
export function closeModel(): void {
  stop();
  openModel.value = null;
  visited.value = [];
}

/** Reads a model and lists its broadcasting nodes; `others` is the number of models that were given with it. */
export function open(model: File, weights: File | null, others = 0): void {
  stop();
  refusal.value = null;
  visited.value = [];
  openModel.value = {
    name: clean(withoutTurns(model.name), 120),
    size: model.size,
    phase: 'reading',
    message: '',
    format: null,
    nodes: [],
    total: 0,
    lacksWeights: /\.xml$/i.test(model.name) && !weights,
    others,
  };
  if (state.value.view === 'models') document.querySelector<HTMLElement>('.models h2')?.focus();
  else update({ ...state.value, view: 'models' });

  const nodes: ListedNode[] = [];
  givingUp = setTimeout(() => fail(`It was not read within ${patience / 60_000} minutes.`), patience);
  try {
    worker = startWorker();
  } catch (error) {
    return fail(String(error));
  }
  worker.onmessage = ({ data }: MessageEvent<AuditReply>) => {
    const now = openModel.value;
    if (!now) return;
    if (data.kind === 'nodes') {
      for (const node of data.nodes) nodes.push(node);
    } else if (data.kind === 'failed') {
      fail(data.message);
    } else {
      stop();
      openModel.value = { ...now, phase: 'read', format: data.format, total: data.total, nodes };
    }
  };
  worker.onerror = (event) => {
    event.preventDefault();
    fail('The reader of model files did not load, or ran out of memory. Try again.');
  };
  worker.postMessage({ model, weights } satisfies AuditRequest);
}

/** Shows a node's question on the page. False if the page has no fields for it. */
export function openNode(index: number): boolean {
  const node = openModel.value?.nodes[index];
  const next = node && stateOfNode(node);
  if (!next) return false;
  focusNext('.from-model');
  update(next);
  visited.value = [...visited.value, { index, state: state.peek() }].slice(-mostVisited);
  if (!matchMedia('(max-width: 860px)').matches) scrollTo(0, 0);
  return true;
}
