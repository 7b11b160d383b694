// A plugin for Vite: the engine is requested together with the page, not only when the first script runs.

/** Links to the engine's script and to its WebAssembly, for the head of the built page. */
export function early() {
  return {
    name: 'broadloom-early',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_, { bundle }) {
        const files = Object.values(bundle);
        const engine = files.find(({ type, name }) => type === 'chunk' && name === 'engine');
        const core = files.find(({ fileName }) => /broadloom-core-[^/]*\.wasm$/.test(fileName));
        if (!engine || !core) throw new Error('the page has no engine, or goes by another name');
        const link = (attrs, { fileName }) => ({
          tag: 'link',
          attrs: { ...attrs, crossorigin: true, href: `./${fileName}` },
          injectTo: 'head',
        });
        return [
          link({ rel: 'modulepreload' }, engine),
          link({ rel: 'preload', as: 'fetch', type: 'application/wasm' }, core),
        ];
      },
    },
  };
}
