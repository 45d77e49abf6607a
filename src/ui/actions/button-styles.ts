export type ButtonVariant = 'primary' | 'secondary' | 'quiet' | 'danger';
export type ButtonSize = 'regular' | 'small';

const shared =
  'inline-flex items-center justify-center gap-2 rounded-field border font-semibold text-center select-none ' +
  'transition-colors disabled:opacity-45 aria-disabled:opacity-70 forced-colors:border-[ButtonBorder]';

const variants = {
  primary:
    'border-transparent bg-accent text-on-accent enabled:hover:bg-accent-strong enabled:active:bg-accent-strong [a]:hover:bg-accent-strong',
  secondary: 'border-edge bg-surface text-ink enabled:hover:bg-sunk [a]:hover:bg-sunk',
  quiet: 'border-transparent text-accent-ink enabled:hover:bg-accent-soft [a]:hover:bg-accent-soft',
  danger: 'border-transparent bg-bad text-on-bad enabled:hover:bg-bad-strong [a]:hover:bg-bad-strong',
} satisfies Record<ButtonVariant, string>;

// Both sizes give a touch target of at least 44 px.
const sizes = {
  regular: 'min-h-13 max-w-full px-[min(1.5rem,7vw)] py-3 text-base',
  small: 'min-h-11 max-w-full px-[min(1rem,5vw)] py-2 text-sm',
} satisfies Record<ButtonSize, string>;

/**
 * The classes of a button, for links that look like one: `<Link
 * className={buttonStyles("primary")}>`.
 */
export function buttonStyles(variant: ButtonVariant, size: ButtonSize = 'regular', wide = false): string {
  return `${shared} ${variants[variant]} ${sizes[size]}${wide ? ' w-full' : ''}`;
}
