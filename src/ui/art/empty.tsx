import { Picture } from './picture.tsx';

const frame = { viewBox: '0 0 180 140', className: 'h-36 w-auto max-w-full' };

/** Empty lists. */
export const EmptyBasketArt = () => <Picture id="empty-basket" {...frame} />;
/** Illustration of error screens, and of pages and records that do not exist. */
export const LostSockArt = () => <Picture id="lost-sock" {...frame} />;
