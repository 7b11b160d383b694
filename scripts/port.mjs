// Chooses the port on which the page is served.
import { Failure } from './fail.mjs';
import { serve } from './serve.mjs';

// The port given by the environment variable PORT; undefined if it is missing or empty.
export function portFrom(text) {
  if (text === undefined || text === '') return undefined;
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65535) {
    throw new Failure(`PORT must be a number from 0 (any free port) to 65535, not ${JSON.stringify(text)}`);
  }
  return Number(text);
}

// Serves a folder, and `data` below /data/, on the port `wanted`, or, if that is undefined, on the first free port from `first` on.
export async function serveOnPort(folder, wanted, first = 8080, data = null) {
  for (let port = wanted ?? first; ; ++port) {
    try {
      return await serve(folder, port, data);
    } catch (error) {
      if (error.code === 'EADDRINUSE' && wanted === undefined && port < first + 100) continue;
      if (error.code === 'EADDRINUSE') throw new Failure(`port ${port} is taken: set PORT to another one`);
      if (error.code === 'EACCES') throw new Failure(`port ${port} needs more permissions: set PORT to 1024 or more`);
      throw error;
    }
  }
}
