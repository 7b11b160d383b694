// Elements of every type as the tests hold them, and whether a text on the page stands for one: written for the tests alone,
// so that nothing of the page's own reading is trusted.

// Exponent and fraction bits, and whether there are infinities.
const floats = {
  f16: [5, 10, true],
  bf16: [8, 7, true],
  f32: [8, 23, true],
  f64: [11, 52, true],
  f8e4m3: [4, 3, false],
  f8e5m2: [5, 2, true],
};
const parts = { c64: 'f32', c128: 'f64' };

const bytesOf = (type) =>
  type in parts ? 2 * bytesOf(parts[type]) : Math.max(1, Number(/\d+/.exec(type.replace(/^f8.*/, 'f8'))?.[0] ?? 8) / 8);

function floatFrom(code, type) {
  const [exponentBits, fractionBits, infinite] = floats[type];
  const width = BigInt(exponentBits + fractionBits);
  const sign = code >> width ? -1 : 1;
  const exponent = Number((code >> BigInt(fractionBits)) & ((1n << BigInt(exponentBits)) - 1n));
  const fraction = Number(code & ((1n << BigInt(fractionBits)) - 1n));
  const top = 2 ** exponentBits - 1;
  if (exponent === top && infinite) return fraction === 0 ? sign * Infinity : NaN;
  if (exponent === top && fraction === 2 ** fractionBits - 1) return NaN;
  const least = 2 - 2 ** (exponentBits - 1);
  const units = exponent === 0 ? fraction : 2 ** fractionBits + fraction;
  return sign * (units * 2 ** -fractionBits) * 2 ** (Math.max(exponent, 1) - 1 + least);
}

// The elements in a text of base64: booleans, integers, numbers, or pairs of numbers.
export function elementsFrom(text, type) {
  const bytes = Buffer.from(text, 'base64');
  const width = bytesOf(type);
  const whole = (begin, length) =>
    bytes.subarray(begin, begin + length).reduce((code, byte) => code * 256n + BigInt(byte), 0n);
  return Array.from({ length: bytes.length / width }, (_, i) => {
    const begin = i * width;
    const code = whole(begin, width);
    if (type === 'bool') return code !== 0n;
    if (type in floats) return floatFrom(code, type);
    if (type in parts)
      return [0, 1].map((part) => floatFrom(whole(begin + (part * width) / 2, width / 2), parts[type]));
    const bits = Number(type.slice(1));
    return type.startsWith('i') ? BigInt.asIntN(bits, code) : code;
  });
}

// Magnitudes of a float type in their order; the last is infinite, or the first that is no number.
const magnitudes = new Map();
function magnitudesOf(type) {
  if (!magnitudes.has(type)) {
    const [exponentBits, fractionBits] = floats[type];
    const all = Array.from({ length: 2 ** (exponentBits + fractionBits) }, (_, code) => floatFrom(BigInt(code), type));
    magnitudes.set(
      type,
      all.slice(
        0,
        all.findIndex((value) => !Number.isFinite(value)),
      ),
    );
  }
  return magnitudes.get(type);
}

// The number of the magnitude that is nearest, counted from zero.
function place(value, type) {
  const size = Math.abs(value);
  if (type === 'f32' || type === 'f64') {
    const view = new DataView(new ArrayBuffer(8));
    if (type === 'f64') view.setFloat64(0, size);
    else view.setFloat32(4, size);
    return view.getBigUint64(0);
  }
  const all = magnitudesOf(type);
  if (size === Infinity) return BigInt(all.length);
  let [low, high] = [0, all.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (all[middle] < size) low = middle + 1;
    else high = middle;
  }
  return BigInt(low > 0 && size - all[low - 1] < all[low] - size ? low - 1 : low);
}

function numberFrom(text) {
  const named = { NaN, '∞': Infinity, '−∞': -Infinity, Infinity, '-Infinity': -Infinity };
  if (Object.hasOwn(named, text)) return named[text];
  return /^-?\d+(\.\d+)?(e-?\d+)?$/.test(text) ? Number(text) : null;
}

function agreesAsFloat(text, value, type, units) {
  const read = numberFrom(text);
  if (read === null || Number.isNaN(read) || Number.isNaN(value)) return Number.isNaN(read) && Number.isNaN(value);
  const negative = (number) => number < 0 || Object.is(number, -0);
  if (negative(read) !== negative(value)) return false;
  const apart = place(read, type) - place(value, type);
  return apart <= BigInt(units) && -apart <= BigInt(units);
}

// Whether a text stands for an element of a type, or for one that is at most so many units in the last place from it.
export function agrees(text, element, type, units = 0) {
  if (text === undefined) return false;
  if (type === 'bool') return text === String(element);
  if (type in floats) return agreesAsFloat(text, element, type, units);
  if (type in parts) {
    const [, real, imaginary] =
      /^(-?(?:NaN|Infinity|[\d.]+(?:e-?\d+)?))([+-](?:NaN|Infinity|[\d.]+(?:e-?\d+)?))i$/.exec(text) ?? [];
    if (real === undefined) return false;
    return [real, imaginary.replace(/^\+/, '')].every((part, i) => agreesAsFloat(part, element[i], parts[type], units));
  }
  return /^-?\d+$/.test(text) && BigInt(text) === element;
}
