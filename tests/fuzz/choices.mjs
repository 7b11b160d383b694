// Takes numbers from the bytes of an input, and 0 after the last byte, like Choices in harness.h. `note` is called with
// a name for what was chosen, so that the loop can tell whether an input reaches something new.
export class Choices {
  #bytes;
  #at = 0;
  #note;

  constructor(bytes, note = () => {}) {
    this.#bytes = bytes;
    this.#note = note;
  }

  byte() {
    return this.#bytes[this.#at++] ?? 0;
  }

  /** A number below `end`, which is at most 256. */
  below(end) {
    return this.byte() % end;
  }

  flag() {
    return this.below(2) === 1;
  }

  /** 32 bits. */
  number() {
    let number = 0;
    for (let i = 0; i < 4; ++i) number = (number * 256 + this.byte()) >>> 0;
    return number;
  }

  pick(list) {
    return list[this.below(list.length)];
  }

  /** The name of one of the entries; the name is noted. */
  name(kind, names) {
    const name = this.pick(names);
    this.note(`${kind} ${name}`);
    return name;
  }

  note(what) {
    this.#note(what);
  }

  rest() {
    return this.#bytes.subarray(this.#at);
  }
}

/** An error found by a harness. */
export class Fault extends Error {}

/** The message of the Fault that `check` throws; '' if it throws none. */
export function faultIn(check) {
  try {
    check();
    return '';
  } catch (error) {
    if (error instanceof Fault) return error.message;
    throw error;
  }
}
