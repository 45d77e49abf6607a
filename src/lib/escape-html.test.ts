import { expect, test } from 'vitest';
import { escapeHtml } from './escape-html.server.ts';

test('escapes every character with a meaning in HTML and XML', () => {
  expect(escapeHtml(`<a href="x">'R&B' & मीरा</a>`)).toBe('&lt;a href=&quot;x&quot;&gt;&#39;R&amp;B&#39; &amp; मीरा&lt;/a&gt;');
});
