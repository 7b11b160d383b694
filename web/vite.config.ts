import { defineConfig } from 'vite';
import { offline } from './offline/plugin.mjs';

export default defineConfig({
  // Relative addresses, so that the page works from any folder of any server.
  base: './',
  plugins: [offline()],
  build: {
    target: 'es2022',
    // Only same-origin files: nothing is inlined that a strict CSP would refuse.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
});
