// Pictures and texts as files.

import type { SvgPicture } from '../export/figure';

/** Limits of canvases: some browser refuses larger ones. */
const longestSide = 16_384;
const mostPixels = 100_000_000;

export const svgBlob = ({ svg }: SvgPicture): Blob => new Blob([svg], { type: 'image/svg+xml' });

/** The picture in pixels: so many for each unit, where a canvas can be that large. */
export async function pngBlob(picture: SvgPicture, pixels: number): Promise<Blob> {
  const { width, height } = picture;
  const scale = Math.min(pixels, longestSide / Math.max(width, height), Math.sqrt(mostPixels / (width * height)));
  const address = URL.createObjectURL(svgBlob(picture));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = Math.floor(width * scale);
    canvas.height = Math.floor(height * scale);
    const context = canvas.getContext('2d');
    if (!context) throw new Error('no canvas');
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) =>
      canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('too large')))),
    );
  } finally {
    URL.revokeObjectURL(address);
  }
}
