/** For the few HTML and XML responses that React does not render. */
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Escapes text for element content and quoted attributes, in HTML and XML. */
export const escapeHtml = (text: string) => text.replaceAll(/[&<>"']/g, (symbol) => ENTITIES[symbol] ?? '');
