import { Picture } from './picture.tsx';

/** Three drawn faces for customers without a photo. */
const AVATARS = ['avatar-shirt', 'avatar-drum', 'avatar-basket'];

/** Shows one of the three; the same `of` always gets the same one. */
export function Avatar({ of }: { of: string }) {
  const sum = Array.from(of).reduce((total, symbol) => total + symbol.charCodeAt(0), 0);
  return <Picture id={AVATARS[sum % AVATARS.length] ?? ''} viewBox="0 0 48 48" className="size-11 shrink-0" />;
}
