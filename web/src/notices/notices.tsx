// Pages for when the engine is missing or something went wrong.

import './notices.css';
import { lacking } from '../engine/engine';

/** The engine is missing: the browser lacks something, or the file did not arrive. */
export function CannotLoad({ error }: { error: unknown }) {
  const lacks = lacking(error);
  return (
    <main class="cannot-load" data-state="unavailable">
      <h1>{lacks ? 'Broadloom cannot run here' : 'Broadloom did not load'}</h1>
      <p>
        {lacks
          ? 'Everything on this page is computed by a core in WebAssembly, which this browser does not have or has switched off:'
          : 'The page loaded, but its core, a WebAssembly file, did not:'}
      </p>
      <p class="mono reason">{error instanceof Error ? error.message : String(error)}</p>
      <p>
        {lacks
          ? 'In a locked-down browser, allow WebAssembly for this site. '
          : 'The network may have dropped it. Your shapes are kept in the address bar. '}
        <a href="">Try again</a>
      </p>
    </main>
  );
}

export function Broken({ error }: { error: unknown }) {
  return (
    <main class="cannot-load" data-state="broken">
      <h1>Something went wrong</h1>
      <p>This is a fault of the page, not of your shapes. The address bar still holds them: a report with it helps.</p>
      <p class="mono reason">{error instanceof Error ? error.message : String(error)}</p>
      <p>
        <a href="./">Start again</a>
      </p>
    </main>
  );
}
