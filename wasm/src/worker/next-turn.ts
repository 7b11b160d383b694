// Lets whatever waits be done first: messages above all. setTimeout would wait for 4 ms when it is nested.

type Immediate = (callback: () => void) => unknown;

let waiting: (() => void) | undefined;
let channel: MessageChannel | undefined;

/** Resolves when the platform has come round to it again. */
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
