/** Offers bytes as a file. */
export function download(blob: Blob, name: string): void {
  const anchor = document.createElement('a');
  anchor.href = URL.createObjectURL(blob);
  anchor.download = name;
  anchor.click();
  // The browser reads the address later.
  setTimeout(() => URL.revokeObjectURL(anchor.href), 60_000);
}
