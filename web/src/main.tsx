import './page/base.css';
import { render } from 'preact';
import { EngineContext } from './context/context';
import { loadEngine } from './engine/engine';
import { keepFocus } from './page/focus';
import { followKeys } from './store/keys';
import { followDrops } from './models/follow-drops';
import { followPaste } from './paste/follow-paste';
import { followPrinting } from './page/print';
import { firstState } from './state/state';
import { engine, followAddress, leftOut, state } from './store/store';
import { Warnings } from './verdict/verdict';
import { App } from './app/app';
import { Boundary } from './app/boundary';
import { CannotLoad } from './notices/notices';
// Last, since they override the views' styles.
import './page/wide.css';
import './page/print.css';

/** Milliseconds that a link's answer waits for its warnings; on a slow network they follow it. */
const longestWait = 1000;

/** Loads what warns, so that a link shows its whole answer at once: warnings that come later change the badge and move the page. */
async function warningsOrWait(): Promise<void> {
  await Promise.race([Warnings.load(), new Promise((resolve) => setTimeout(resolve, longestWait))]);
}

const root = document.getElementById('page');
if (root) {
  loadEngine().then(
    async (core) => {
      // A document that shows an answer in a frame asks for the answer alone.
      const bare = new URLSearchParams(location.search).has('embed');
      const Page = bare ? (await import('./embed/embed')).Embed : App;
      engine.value = core;
      followAddress();
      if (!bare && state.value !== firstState) await warningsOrWait();
      followKeys();
      keepFocus(document.body);
      if (!bare) {
        followPaste(core);
        followDrops(core);
      }
      followPrinting();
      root.replaceChildren();
      render(
        <Boundary>
          <EngineContext.Provider value={core}>
            <Page />
          </EngineContext.Provider>
        </Boundary>,
        root,
      );
      if (import.meta.env.PROD && !bare) void import('./page/offline').then(({ keep }) => keep(leftOut));
    },
    (error: unknown) => {
      root.replaceChildren();
      render(<CannotLoad error={error} />, root);
    },
  );
}
