// Which port the page is served on.
import { Failure } from './fail.mjs';
import { serve } from './serve.mjs';

// The port that the text of PORT asks for; undefined when it asks for none.
export function portFrom(text) {
  if (text === undefined || text === '') return undefined;
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65535) {
    throw new Failure(`PORT must be a number from 0 (any free port) to 65535, not ${JSON.stringify(text)}`);
  }
  return Number(text);
}

// A port that was asked for is that port or nothing; otherwise the first free one from `first` on.
export async function serveOnPort(folder, wanted, first = 8080) {
  for (let port = wanted ?? first; ; ++port) {
    try {
      return await serve(folder, port);
    } catch (error) {
      if (error.code === 'EADDRINUSE' && wanted === undefined && port < first + 100) continue;
      if (error.code === 'EADDRINUSE') throw new Failure(`port ${port} is taken: set PORT to another one`);
      if (error.code === 'EACCES')
        throw new Failure(`port ${port} may not be used without more rights: set PORT to 1024 or more`);
      throw error;
    }
  }
}
