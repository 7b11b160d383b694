/** Takes all of the module's memory that there is, down to the last small piece; gives the tensors that hold it. */
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
