import { defineConfig } from 'vite';
import { early } from './early.mjs';
import { offline } from './offline/plugin.mjs';

export default defineConfig({
  // Relative addresses, so that the page works from any folder of any server.
  base: './',
  plugins: [early(), offline()],
  // The worker loads its parts when it needs them, as the page does.
  worker: { format: 'es' },
  build: {
    target: 'es2022',
    // Nothing is inlined: a strict content security policy would refuse it.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // All that the first script imports statically is one file: it compresses better, and needs fewer requests.
    rolldownOptions: {
      output: { codeSplitting: { groups: [{ name: 'page', tags: ['$initial'], test: /^(?!.*service-worker)/ }] } },
    },
  },
});
