export type IconProps = { small?: boolean };

/**
 * A stroked icon on a 24-unit grid in the text colour. Icons are decoration: the text beside has
 * the meaning.
 */
export function Glyph({ d, small = false, filled = false }: IconProps & { d: string; filled?: boolean }) {
  return (
    <svg
      viewBox="0 0 24 24"
      fill={filled ? 'currentColor' : 'none'}
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      className={`${small ? 'size-5' : 'size-6'} shrink-0`}
    >
      <path d={d} />
    </svg>
  );
}
