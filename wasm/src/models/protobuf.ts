// Reads protobuf messages field by field. The library reads the wire format; what is checked here is that each part lies
// in the part that contains it, so that a wrong length is an error at the place where it is read.

import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { ModelError } from './model-error.js';
import type { FileWindow } from './source.js';

/** The most bytes of a name: more are no name but an attack on memory. */
const MOST_NAME_BYTES = 64 * 1024;
/** The most fields of a file, those that are skipped included: some seconds. */
const MOST_FIELDS = 10_000_000;
/** The most bytes of a tag and of the number after it. */
const MOST_HEAD_BYTES = 15;

/** The value of a field, from `begin` to `end` of the file. */
export class Field {
  readonly number: number;
  readonly #type: WireType;
  readonly #file: FileWindow;
  readonly #begin: number;
  readonly #end: number;

  constructor(file: FileWindow, number: number, type: WireType, begin: number, end: number) {
    this.#file = file;
    this.number = number;
    this.#type = type;
    this.#begin = begin;
    this.#end = end;
  }

  /** The number of bytes. */
  get length(): number {
    return this.#end - this.#begin;
  }

  /** Calls `visit` for each field of the message that this field holds. */
  message(visit: (field: Field) => void): void {
    this.#expect(WireType.LengthDelimited);
    readFields(this.#file, this.#begin, this.#end, visit);
  }

  bytes(): Uint8Array {
    this.#expect(WireType.LengthDelimited);
    return this.#file.slice(this.#begin, this.#end);
  }

  text(): string {
    if (this.length > MOST_NAME_BYTES) {
      throw new ModelError('limit', `A name has ${this.length} bytes. At most ${MOST_NAME_BYTES} are read.`);
    }
    return DECODER.decode(this.bytes());
  }

  /** A whole number of up to 64 bits. */
  integer(): bigint {
    this.#expect(WireType.Varint);
    return int64Of(new BinaryReader(this.#file.slice(this.#begin, this.#end)));
  }

  /** Whole numbers of up to 64 bits: packed ones, or a single one. At most `most`; null where there are more. */
  integers(most: number): bigint[] | null {
    if (this.#type === WireType.Varint) return [this.integer()];
    this.#expect(WireType.LengthDelimited);
    if (this.length > most * 10) return null;
    const reader = new BinaryReader(this.bytes());
    const values: bigint[] = [];
    while (reader.pos < reader.len) {
      if (values.length === most) return null;
      values.push(int64Of(reader));
    }
    return values;
  }

  #expect(type: WireType): void {
    if (this.#type !== type)
      throw new ModelError('format', `Field ${this.number} is of another kind than ONNX has it.`);
  }
}

const DECODER = new TextDecoder();

/** Calls `visit` for each field of a message, in the order of the file. */
export function readFields(file: FileWindow, begin: number, end: number, visit: (field: Field) => void): void {
  for (let at = begin; at < end;) {
    if (++file.fields > MOST_FIELDS) throw new ModelError('limit', `The model has more than ${MOST_FIELDS} fields.`);
    const reader = new BinaryReader(file.slice(at, Math.min(at + MOST_HEAD_BYTES, end)));
    const { number, type } = tagOf(reader);
    let length = sizes[type];
    let from = at + reader.pos;
    if (type === WireType.LengthDelimited) {
      const beginsAt = reader.pos;
      length = lib(() => reader.uint32());
      from = at + reader.pos;
      if (reader.pos - beginsAt > 5)
        throw new ModelError('format', 'The length of a field is not a number of 32 bits.');
    } else if (type === WireType.Varint) {
      const beginsAt = reader.pos;
      lib(() => reader.skip(type));
      length = reader.pos - beginsAt;
      if (length > 10) throw new ModelError('format', 'A number has more than 64 bits.');
    } else if (length === undefined) {
      throw new ModelError('format', `Byte ${at} begins no field of an ONNX model.`);
    }
    if (length > end - from) {
      throw new ModelError(
        'truncated',
        `Field ${number} at byte ${at} announces ${length} bytes, but ${end - from} are left: the file is truncated or damaged.`,
      );
    }
    visit(new Field(file, number, type, from, from + length));
    at = from + length;
  }
}

const sizes: { readonly [type: number]: number | undefined } = { [WireType.Bit32]: 4, [WireType.Bit64]: 8 };

function tagOf(reader: BinaryReader): { number: number; type: WireType } {
  const [number, type] = lib(() => reader.tag());
  return { number, type };
}

function int64Of(reader: BinaryReader): bigint {
  return BigInt(lib(() => reader.int64()));
}

/** The library's errors as a ModelError. */
function lib<T>(read: () => T): T {
  try {
    return read();
  } catch (cause) {
    const isEnd = cause instanceof RangeError;
    const message = isEnd ? 'The file ends within a field: it is truncated or damaged.' : 'This is no ONNX model.';
    throw new ModelError(isEnd ? 'truncated' : 'format', message, { cause });
  }
}
