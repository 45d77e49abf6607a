import { MAX_PHOTO_PIXELS } from '../contract.ts';

const QUALITY = 0.85;
/** For the draft, which is in the session storage: about 5 kB. */
const THUMBNAIL_PIXELS = 192;
const THUMBNAIL_QUALITY = 0.6;

export interface PreparedPhoto {
  photo: Blob;
  /** A data URL. The page may load no images from memory. */
  thumbnail: string;
}

/**
 * Draws a photo on a canvas, at most 1,600 pixels wide and high, and encodes it as JPEG. The result
 * has no location and no other metadata. Returns undefined if the browser cannot read the file, or
 * has no memory for it.
 */
export async function preparePhoto(file: Blob): Promise<PreparedPhoto | undefined> {
  // The default orientation is that of the photo's metadata.
  const bitmap = await createImageBitmap(file).catch(() => undefined);
  if (!bitmap) return undefined;
  try {
    const photo = await toJpeg(drawn(bitmap, MAX_PHOTO_PIXELS));
    return photo && { photo, thumbnail: drawn(bitmap, THUMBNAIL_PIXELS).toDataURL('image/jpeg', THUMBNAIL_QUALITY) };
  } finally {
    bitmap.close();
  }
}

/** Returns the picture, reduced to `maxPixels` if it is larger. */
function drawn(bitmap: ImageBitmap, maxPixels: number): HTMLCanvasElement {
  const scale = Math.min(1, maxPixels / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  const context = canvas.getContext('2d');
  if (context) {
    // JPEG has no transparency.
    context.fillStyle = '#fff';
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.imageSmoothingQuality = 'high';
    context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  }
  return canvas;
}

/** Returns undefined if the browser has no memory for the photo. */
const toJpeg = (canvas: HTMLCanvasElement) =>
  new Promise<Blob | undefined>((resolve) => canvas.toBlob((blob) => resolve(blob ?? undefined), 'image/jpeg', QUALITY));
