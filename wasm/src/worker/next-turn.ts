// Waits for one turn of the event loop, so that messages are received. Nested calls of setTimeout would take 4 ms each.

type Immediate = (callback: () => void) => unknown;

let waiting: (() => void) | undefined;
let channel: MessageChannel | undefined;

/** Resolves in a later turn of the event loop. */
export function nextTurn(): Promise<void> {
  const { setImmediate } = globalThis as { readonly setImmediate?: Immediate };
  if (typeof setImmediate === 'function') return new Promise((resolve) => void setImmediate(resolve));
  return new Promise((resolve) => {
    if (channel === undefined) {
      channel = new MessageChannel();
      channel.port1.onmessage = () => waiting?.();
    }
    waiting = resolve;
    channel.port2.postMessage(null);
  });
}
