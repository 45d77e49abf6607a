/** For the few documents that are written as text and not by React. */
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Text to stand between tags or inside a quoted attribute; XML reads it, too. */
export const escapeHtml = (text: string) => text.replaceAll(/[&<>"']/g, (symbol) => ENTITIES[symbol] ?? '');
