import { Picture } from './picture.tsx';

const className = 'h-36 w-auto max-w-full';

/** An order was placed. */
export const PickupVanArt = () => <Picture id="pickup-van" viewBox="0 0 200 140" className={className} />;
/** Delivered, paid, thank you. */
export const FoldedStackArt = () => <Picture id="folded-stack" viewBox="0 0 180 140" className={className} />;
/** The referral. */
export const GiftArt = () => <Picture id="gift" viewBox="0 0 180 140" className={className} />;
