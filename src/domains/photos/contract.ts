/** Photos that customers and the staff upload: limits and errors of every upload. */
import { defineErrors } from '../../contract/errors.ts';

export const MAX_PHOTO_BYTES = 5 * 1024 * 1024;
/** The maximum width and height. The page reduces photos to it. */
export const MAX_PHOTO_PIXELS = 1600;

export const photoError = defineErrors({
  'photo-too-large': 'This photo is larger than 5 MB, please choose a smaller one',
  'photo-type': 'This file is not a photo that we can read, please choose a JPEG, PNG or WebP photo',
  'photo-damaged': 'This photo is damaged, please choose another one',
  'photo-dimensions': 'A photo has at most 1,600 pixels in width and height',
  'too-many-uploads': 'These are more photos than we can take from you in a day, please call us',
  'photo-not-stored': 'We could not store this photo, please try again in a moment',
});
