// Text tables: the first column is aligned left, the others right.

export const times = (ratio) => ratio.toFixed(2);
export const gigabytes = (bytes, ns) => (bytes / ns).toFixed(1);
export const span = ([low, high]) => `${times(low)}..${times(high)}`;
export const nanoseconds = (ns) => (ns < 1000 ? ns.toFixed(1) : Math.round(ns).toString());

// Prints a header for columns [title, width], and returns a function that prints a row.
export function table(...columns) {
  const row = (cells) =>
    cells
      .map((cell, i) => (i === 0 ? `${cell}`.padEnd(columns[i][1]) : `${cell}`.padStart(columns[i]?.[1] ?? 0)))
      .join('')
      .trimEnd();
  console.log(row(columns.map(([title]) => title)));
  return (...cells) => console.log(row(cells));
}

// 65536 -> 64 KiB
export function bytesText(bytes) {
  const units = ['B', 'KiB', 'MiB', 'GiB'];
  const unit = Math.min(Math.floor(Math.log2(Math.max(bytes, 1)) / 10), 3);
  return `${bytes / 1024 ** unit} ${units[unit]}`;
}
