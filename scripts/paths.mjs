// Paths in the repository.
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
export const inRoot = (...parts) => path.join(root, ...parts);
