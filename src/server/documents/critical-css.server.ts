/**
 * The part of the style sheet that a document needs for its first paint: rules whose classes stand in it. All of it follows as a file at the document's end,
 * so that what scripts add later has its looks too, and no document grows with the pages of others.
 */
type Block = { prelude: string; body: string | Block[]; needs: string[][] };

const GROUPS = /^@(?:layer|media|supports|container|starting-style)\b/;

const MOST_PICKED = 100;

/** Reads the sheet once; answers what picks from it. */
export function criticalCss(sheet: string): (html: string) => string {
  const blocks = read(sheet.replaceAll(/\/\*[\s\S]*?\*\//g, ''));
  const picked = new Map<string, string>();
  return (html) => {
    const attributes = new Set(Array.from(html.matchAll(/\sclass="([^"]*)"/g), ([, names = '']) => names));
    const key = [...attributes].join('|');
    const known = picked.get(key);
    if (known !== undefined) return known;
    const classes = new Set([...attributes].flatMap((names) => decoded(names).split(/\s+/)));
    const css = write(blocks, (needs) => needs.some((names) => names.every((name) => classes.has(name))));
    // Made-up addresses all look alike, so these few are most of what is asked for.
    if (picked.size >= MOST_PICKED) picked.clear();
    picked.set(key, css);
    return css;
  };
}

const decoded = (text: string) =>
  text.replaceAll('&gt;', '>').replaceAll('&lt;', '<').replaceAll('&quot;', '"').replaceAll('&#x27;', "'").replaceAll('&amp;', '&');

const write = (blocks: readonly Block[], isUsed: (needs: string[][]) => boolean): string =>
  blocks
    .map(({ prelude, body, needs }) => {
      if (typeof body === 'string') return isUsed(needs) ? (body === ';' ? `${prelude};` : `${prelude}{${body}}`) : '';
      const inner = write(body, isUsed);
      return inner && `${prelude}{${inner}}`;
    })
    .join('');

function read(css: string): Block[] {
  const blocks: Block[] = [];
  let from = 0;
  while (from < css.length) {
    const end = css.slice(from).search(/[{;]/);
    if (end < 0) break;
    const prelude = css.slice(from, from + end).trim();
    if (css[from + end] === ';') {
      blocks.push({ prelude, body: ';', needs: [[]] });
      from += end + 1;
      continue;
    }
    const close = closingBrace(css, from + end);
    const body = css.slice(from + end + 1, close);
    blocks.push({ prelude, body: GROUPS.test(prelude) ? read(body) : body, needs: prelude.startsWith('@') ? [[]] : needsOf(prelude) });
    from = close + 1;
  }
  return blocks;
}

function closingBrace(css: string, open: number): number {
  let depth = 0;
  for (let at = open; at < css.length; at += 1) {
    if (css[at] === '{') depth += 1;
    if (css[at] === '}' && --depth === 0) return at;
  }
  return css.length;
}

/** The classes of each selector of a list; what only says what must not be there needs nothing. */
const needsOf = (selectors: string): string[][] =>
  selectors
    .replaceAll(/:not\((?:[^()]|\([^()]*\))*\)/g, '')
    .split(/,(?![^(]*\))/)
    .map((selector) =>
      Array.from(selector.matchAll(/\.((?:\\[0-9a-f]{1,6} ?|\\.|[\w-])+)/g), ([, name = '']) =>
        name.replaceAll(/\\([0-9a-f]{1,6}) ?|\\(.)/g, (_all, hex: string | undefined, symbol: string | undefined) =>
          hex ? String.fromCodePoint(Number.parseInt(hex, 16)) : (symbol ?? ''),
        ),
      ),
    );
