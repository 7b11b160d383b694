import { defineConfig } from 'vite';
import { early } from './early.mjs';
import { offline } from './offline/plugin.mjs';

export default defineConfig({
  // Relative addresses, so that the page works from any folder of any server.
  base: './',
  plugins: [early(), offline()],
  build: {
    target: 'es2022',
    // Only same-origin files: nothing is inlined that a strict CSP would refuse.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // All that the first script imports at once is one file: it packs better, and the first visit asks for fewer.
    rolldownOptions: {
      output: { codeSplitting: { groups: [{ name: 'page', tags: ['$initial'], test: /^(?!.*service-worker)/ }] } },
    },
  },
});
