import { Failure } from '../fail.mjs';
export async function peers() { throw new Failure('not yet'); }
