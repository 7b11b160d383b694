/** Allocates all of the module's memory, down to the smallest allocation; returns the tensors that hold it. */
export function takeMemory(bl) {
  const tensors = [];
  for (let bytes = 1 << 20; bytes >= 1;) {
    try {
      tensors.push(bl.tensor({ data: new Uint8Array(bytes), shape: [bytes] }));
    } catch (error) {
      if (error.code !== 'allocation') throw error;
      bytes >>= 1;
    }
  }
  return tensors;
}
