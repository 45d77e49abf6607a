import { Picture } from './picture.tsx';

const className = 'h-36 w-auto max-w-full';

/** Order placed. */
export const PickupVanArt = () => <Picture id="pickup-van" viewBox="0 0 200 140" className={className} />;
/** Order delivered, payment received, thank you. */
export const FoldedStackArt = () => <Picture id="folded-stack" viewBox="0 0 180 140" className={className} />;
/** Referral programme. */
export const GiftArt = () => <Picture id="gift" viewBox="0 0 180 140" className={className} />;
