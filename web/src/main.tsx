import './page/base.css';
import './controls/controls.css';
import './verdict/verdict.css';
import './alignment/alignment-table.css';
import './grids/grids.css';
import './page/print.css';
import { render } from 'preact';
import { loadEngine } from './engine/engine';
import { keepFocus } from './page/focus';
import { followKeys } from './store/keys';
import { followPrinting } from './page/print';
import { engine, followAddress, leftOut } from './store/store';
import { App } from './app/app';
import { Boundary } from './app/boundary';
import { CannotLoad } from './notices/notices';

const root = document.getElementById('page');
if (root) {
  loadEngine().then(
    async (core) => {
      // A document that shows an answer in a frame asks for the answer alone.
      const bare = new URLSearchParams(location.search).has('embed');
      const Page = bare ? (await import('./embed/embed')).Embed : App;
      engine.value = core;
      followAddress();
      followKeys();
      keepFocus(document.body);
      followPrinting();
      root.replaceChildren();
      render(
        <Boundary>
          <Page core={core} />
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
