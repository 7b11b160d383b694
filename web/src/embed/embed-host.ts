// The frame's side of the messages between it and the document around it. Any document may ask: nothing here is secret, as
// the embedding document knows the link. Only messages of the embedding window that `readRequest` understands are handled.

import { effect } from '@preact/signals';
import { answerOf, readRequest } from './embed-messages';
import { toFragment } from '../state/state';
import { home, model, state, update } from '../store/store';

type MessageFields = Readonly<Record<string, unknown>>;

/** Answers messages and reports changes, until the returned function is called. */
export function followHost(page: HTMLElement): () => void {
  const host = window.parent;
  if (host === window) return () => {};
  const send = (type: string, fields: MessageFields, origin = '*'): void =>
    host.postMessage({ from: 'broadloom', version: 1, type, ...fields }, origin);

  const hear = (event: MessageEvent): void => {
    if (event.source !== host) return;
    const request = readRequest(event.data);
    if (!request) return;
    const { id } = request;
    // A document without an origin of its own, as a file, can only be answered at large.
    const origin = event.origin === 'null' || event.origin === '' ? '*' : event.origin;
    if (request.type === 'refused') return send('refused', { id, reason: request.reason }, origin);
    if (request.type === 'set') update(request.state);
    const now = model.value;
    if (now) send('answer', { id, ...answerOf(now), link: `${home()}#${toFragment(now.state)}` }, origin);
  };
  addEventListener('message', hear);

  let reported = 0;
  const measure = (): void => {
    const height = Math.ceil(page.getBoundingClientRect().height);
    if (height !== reported) send('height', { height: (reported = height) });
  };
  const watcher = new ResizeObserver(measure);
  watcher.observe(page);

  send('ready', {});
  let shown = toFragment(state.peek());
  const stop = effect(() => {
    const fragment = toFragment(state.value);
    if (fragment !== shown) send('change', { fragment, link: `${home()}#${fragment}` });
    shown = fragment;
  });
  return () => {
    removeEventListener('message', hear);
    watcher.disconnect();
    stop();
  };
}
