// Draws the icon as PNG, for platforms without SVG. Only the parts of SVG that the icon uses are supported: straight strokes
// with round ends.
import { crc32, deflateSync } from 'node:zlib';

// The strokes of an SVG of paths `M x y h n` and `M x y v n`, in the order they are painted.
function strokesOf(svg) {
  const attribute = (name) => new RegExp(`<svg[^>]*\\b${name}="([^"]+)"`).exec(svg)?.[1];
  const [, , side] = (attribute('viewBox') ?? '').split(' ').map(Number);
  const radius = Number(attribute('stroke-width')) / 2;
  const strokes = [...svg.matchAll(/<path stroke="#([0-9a-f]{6})" d="([^"]+)"/g)].flatMap(([, colour, d]) => {
    const lines = [...d.matchAll(/M([\d.]+) ([\d.]+)([hv])([\d.]+)/g)];
    if (lines.map(([line]) => line).join('') !== d) throw new Error(`icon.svg: a path that is not understood: ${d}`);
    return lines.map(([, x, y, way, length]) => ({
      colour: rgb(colour),
      x: Number(x),
      y: Number(y),
      dx: way === 'h' ? Number(length) : 0,
      dy: way === 'v' ? Number(length) : 0,
    }));
  });
  if (!(side > 0 && radius > 0) || strokes.length === 0) throw new Error('icon.svg: no strokes found');
  return { side, radius, strokes };
}

const rgb = (hex) => [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
const clamp = (value, least, most) => Math.max(least, Math.min(most, value));

// A PNG of the drawing, `size` pixels wide and high: transparent, or on `ground` and scaled by `part`.
export function pngIcon(svg, { size, ground, part = 1 }) {
  const { side, radius, strokes } = strokesOf(svg);
  const scale = (size * part) / side;
  const margin = (size * (1 - part)) / 2;
  const under = ground ? [...rgb(ground.slice(1)), 1] : [0, 0, 0, 0];
  const rows = Buffer.alloc(size * (1 + 4 * size));
  for (let y = 0; y < size; ++y) {
    for (let x = 0; x < size; ++x) {
      const u = (x + 0.5 - margin) / scale;
      const v = (y + 0.5 - margin) / scale;
      let [r, g, b, alpha] = under;
      for (const { colour, x: left, y: top, dx, dy } of strokes) {
        const far = Math.hypot(u - clamp(u, left, left + dx), v - clamp(v, top, top + dy));
        const cover = clamp((radius - far) * scale + 0.5, 0, 1);
        if (cover === 0) continue;
        const both = cover + alpha * (1 - cover);
        [r, g, b] = [r, g, b].map((below, i) => (colour[i] * cover + below * alpha * (1 - cover)) / both);
        alpha = both;
      }
      rows.set([r, g, b, alpha * 255].map(Math.round), y * (1 + 4 * size) + 1 + 4 * x);
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header.set([8, 6], 8); // Eight bits each of red, green, blue and alpha.
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND'),
  ]);
}

function chunk(type, data = Buffer.alloc(0)) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  framed.set(body, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}
