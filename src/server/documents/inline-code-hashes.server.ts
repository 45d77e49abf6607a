import { createHash } from 'node:crypto';

export interface HashedDocument {
  /** Without the nonce: the bytes are the same for everyone. */
  html: string;
  /** Hash sources of the content security policy. */
  scriptHashes: string[];
  styleHashes: string[];
}

/**
 * Replaces the nonce of inline scripts and styles by their hashes. Only elements with the random
 * nonce of this rendering are hashed: an injected script has none, so the policy blocks it.
 */
export function hashInlineCode(html: string, nonce: string): HashedDocument {
  const hashes = { script: new Set<string>(), style: new Set<string>() };
  const elements = new RegExp(`<(script|style)([^>]*) nonce="${nonce.replaceAll(/[+/=]/g, '\\$&')}"([^>]*)>([\\s\\S]*?)</\\1>`, 'g');
  const withoutNonce = html
    .replace(elements, (_element, tag: 'script' | 'style', before: string, after: string, content: string) => {
      if (content) hashes[tag].add(`'sha256-${createHash('sha256').update(content).digest('base64')}'`);
      return `<${tag}${before}${after}>${content}</${tag}>`;
    })
    .replaceAll(` nonce="${nonce}"`, '');
  return { html: withoutNonce, scriptHashes: [...hashes.script], styleHashes: [...hashes.style] };
}
