// Reads a WebAssembly module's code, instruction by instruction.

/** Counts the instructions in a module's functions, and the SIMD instructions among them. */
export function instructions(bytes) {
  let at = 8; // after the magic number and the version
  const counts = { all: 0, simd: 0 };
  const leb = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++];
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) return value;
    }
  };
  const skip = (count) => {
    for (let i = 0; i < count; ++i) leb();
  };
  while (at < bytes.length) {
    const section = bytes[at++];
    const end = leb() + at;
    if (section === 10) {
      const functions = leb();
      for (let i = 0; i < functions; ++i) body();
    }
    at = end;
  }
  return counts;

  function body() {
    const end = leb() + at;
    const groups = leb();
    for (let i = 0; i < groups; ++i) {
      leb();
      ++at;
    }
    while (at < end) instruction();
    if (at !== end) throw new Error(`a function's instructions end at ${at}, the function at ${end}`);
  }

  function instruction() {
    const opcode = bytes[at++];
    ++counts.all;
    if (opcode === 0xfc) return bulk(leb());
    if (opcode === 0xfd) {
      ++counts.simd;
      return simd(leb());
    }
    if (opcode === 0x0e) return skip(leb() + 1); // br_table
    if (opcode === 0x1c) return skip(leb()); // select with types
    if (opcode === 0x43) return void (at += 4); // f32.const
    if (opcode === 0x44) return void (at += 8); // f64.const
    if (opcode === 0x11 || opcode === 0x13) return skip(2); // call_indirect
    if (opcode >= 0x28 && opcode <= 0x3e) return skip(2); // loads and stores
    const one =
      (opcode >= 0x02 && opcode <= 0x04) || // block, loop, if
      (opcode >= 0x0c && opcode <= 0x0d) || // br, br_if
      opcode === 0x10 ||
      opcode === 0x12 || // call
      (opcode >= 0x20 && opcode <= 0x26) || // locals, globals, tables
      (opcode >= 0x3f && opcode <= 0x42) || // memory.size, memory.grow, i32.const, i64.const
      opcode === 0xd0 ||
      opcode === 0xd2; // ref.null, ref.func
    if (one) skip(1);
    else if (opcode > 0xd2) throw new Error(`unknown instruction 0x${opcode.toString(16)} at ${at}`);
  }

  function bulk(operation) {
    if (operation >= 8) skip([2, 1, 2, 1, 2, 1, 2, 1, 1, 1][operation - 8]);
  }

  function simd(operation) {
    if (operation <= 11 || operation === 92 || operation === 93)
      skip(2); // loads and stores
    else if (operation === 12 || operation === 13)
      at += 16; // v128.const, i8x16.shuffle
    else if (operation >= 21 && operation <= 34)
      ++at; // lanes
    else if (operation >= 84 && operation <= 91) {
      skip(2); // loads and stores of a lane
      ++at;
    }
  }
}
