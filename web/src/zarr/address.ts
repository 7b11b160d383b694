// Addresses of Zarr arrays. The page makes no requests to other origins, so an array lies beside it.

import { countText } from '../text/format';

/** Letters of an address. */
const longestAddress = 1000;

export type ReadAddress =
  | {
      readonly ok: true;
      /** As states and links hold it: relative where the array lies below the page. */ readonly text: string;
    }
  | { readonly ok: false; readonly message: string };

const refused = (message: string): ReadAddress => ({ ok: false, message });

/** Without percent codes where the browser would write the same ones again. */
function plain(path: string, base: URL): string {
  try {
    const decoded = decodeURI(path);
    return new URL(decoded, base).pathname === new URL(path, base).pathname ? decoded : path;
  } catch {
    return path;
  }
}

/**
 * Reads what was typed as an array's address; `page` is that of the page.
 *
 * @example
 * readAddress('http://localhost:8080/data/a.zarr/', new URL('http://localhost:8080/#v=1')); // data/a.zarr
 */
export function readAddress(typed: string, page: URL): ReadAddress {
  const text = typed.trim();
  if (text === '') return refused('Type the address of a Zarr array, such as data/volume.zarr.');
  if (text.length > longestAddress)
    return refused(
      `The address has ${countText(text.length)} letters; this page takes up to ${countText(longestAddress)}.`,
    );
  let url: URL;
  try {
    url = new URL(text, page);
  } catch {
    return refused(`${text} is not an address. Type one such as data/volume.zarr.`);
  }
  if (url.origin !== page.origin || url.protocol !== page.protocol)
    return refused(
      `${text} is not of this page’s own origin, ${page.origin}. The page makes no requests to other origins: its content security policy forbids them. Serve the array beside the page, for example with npm start -- --data FOLDER.`,
    );
  if (url.search !== '' || url.hash !== '')
    return refused(`${text} has a ? or #, which the address of a Zarr array cannot have.`);
  const folder = new URL('.', page).pathname;
  const path = url.pathname.replace(/\/+$/, '') || '/';
  const below = path.startsWith(folder) && path.length > folder.length ? path.slice(folder.length) : path;
  // A name with a colon would be read as a scheme, and an empty first name as another host.
  const relative = /^[^/]*:|^\//.test(below) ? path : below;
  return { ok: true, text: plain(relative, page) };
}
