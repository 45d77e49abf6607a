import screens from './screens.svg?no-inline';

export type ScreenPictureId =
  | 'door'
  | 'phone'
  | 'lock'
  | 'wallet'
  | 'house'
  | 'chat'
  | 'scale'
  | 'list'
  | 'receipt'
  | 'name-tag'
  | 'friends';

/** The picture beside the heading of a screen. Decoration only. */
export const ScreenPicture = ({ id }: { id: ScreenPictureId }) => (
  <svg viewBox="0 0 180 140" aria-hidden="true" className="h-auto w-full">
    <use href={`${screens}#${id}`} />
  </svg>
);
