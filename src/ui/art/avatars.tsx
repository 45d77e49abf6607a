import { Picture } from './picture.tsx';

const AVATARS = ['avatar-shirt', 'avatar-drum', 'avatar-basket'];

/** One of three illustrations, which `seed` selects. */
export function Avatar({ seed }: { seed: string }) {
  const sum = Array.from(seed).reduce((total, symbol) => total + symbol.charCodeAt(0), 0);
  return <Picture id={AVATARS[sum % AVATARS.length] ?? ''} viewBox="0 0 48 48" className="size-11 shrink-0" />;
}
