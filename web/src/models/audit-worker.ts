// The worker that reads model files, so that the page stays responsive. It reads the parts of a file that it needs, not the
// elements of large tensors, and sends nothing anywhere but to the page.

import { auditModelFile, type ByteSource } from '../engine/model-files';
import { type AuditReply, type AuditRequest, listed, mostNodes, nodesAtOnce } from './listed-node';

/** In workers only, which is why the page's types do not have it. */
declare class FileReaderSync {
  readAsArrayBuffer(blob: Blob): ArrayBuffer;
}

const reply = (message: AuditReply): void => postMessage(message);

function sourceOf(file: File): ByteSource {
  const reader = new FileReaderSync();
  return {
    size: file.size,
    read: (begin, length) => new Uint8Array(reader.readAsArrayBuffer(file.slice(begin, begin + length))),
  };
}

async function audit({ model, weights }: AuditRequest): Promise<void> {
  const found = await auditModelFile(sourceOf(model), weights && sourceOf(weights));
  if (!found.ok) return reply({ kind: 'failed', message: found.message });
  const total = found.nodes.length;
  for (let begin = 0; begin < Math.min(total, mostNodes); begin += nodesAtOnce) {
    reply({ kind: 'nodes', nodes: found.nodes.slice(begin, Math.min(begin + nodesAtOnce, mostNodes)).map(listed) });
  }
  reply({ kind: 'done', format: found.format, total });
}

addEventListener('message', ({ data }: MessageEvent<AuditRequest>) => {
  audit(data).catch((error: unknown) => {
    // A folder, or a file that was changed or deleted after it was chosen, cannot be read.
    const unreadable = error instanceof DOMException && /^(?:NotFound|NotReadable|Security)Error$/.test(error.name);
    const reason = error instanceof Error ? error.message : String(error);
    const message = unreadable
      ? 'The browser cannot read it: it may be a folder, or it has changed since you chose it.'
      : reason;
    reply({ kind: 'failed', message });
  });
});
