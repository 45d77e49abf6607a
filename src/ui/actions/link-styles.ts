/** The look of a link inside text. */
export const textLinkLook = 'font-semibold text-accent-ink underline decoration-1 underline-offset-3 hover:decoration-2';

/** The look of a link that stands alone: 44 px high, underlined when pointed at. */
export const standaloneLinkLook =
  'inline-flex min-h-11 items-center gap-1 font-semibold text-accent-ink hover:underline underline-offset-3';
