/** The classes of a link inside text. */
export const textLinkStyles = 'font-semibold text-accent-ink underline decoration-1 underline-offset-3 hover:decoration-2';

/** The classes of a link outside text: 44 px high, underlined on hover. */
export const standaloneLinkStyles =
  'inline-flex min-h-11 items-center gap-1 font-semibold text-accent-ink hover:underline underline-offset-3';
