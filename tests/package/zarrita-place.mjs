// Tells files outside of tests/ where zarrita is, which only tests install: `import` it, or `node --import`.

import { register } from 'node:module';

const tests = new URL('../package.json', import.meta.url).href;
const hook = `export const resolve = (name, context, next) =>
  next(name, /^@?zarrita\\b/.test(name) && !context.parentURL?.includes('node_modules')
    ? { ...context, parentURL: '${tests}' } : context);`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);
