import { Picture } from './picture.tsx';

/** Three faces of the laundry, for people who have shown none of their own. */
const AVATARS = ['avatar-shirt', 'avatar-drum', 'avatar-basket'];

/** One of the three, always the same for the same `of`. */
export function Avatar({ of }: { of: string }) {
  const sum = Array.from(of).reduce((total, symbol) => total + symbol.charCodeAt(0), 0);
  return <Picture id={AVATARS[sum % AVATARS.length] ?? ''} viewBox="0 0 48 48" className="size-11 shrink-0" />;
}
