/**
 * Selects the rules of the style sheet that the first paint of a document needs: those whose
 * classes occur in it. The whole style sheet is loaded after the first paint
 * (pre-hydration/load-deferred.ts).
 */

/** A placeholder in the document, replaced once its HTML is complete. */
export const CRITICAL_CSS_MARKER = '@critical-css;';

/**
 * `classLists` has one entry for each selector: the classes that a document needs to contain. A
 * rule with an empty list is always selected.
 */
interface Rule {
  prelude: string;
  body: string | Rule[];
  classLists: string[][];
}

/** At-rules that contain rules. */
const GROUPING_RULE = /^@(?:layer|media|supports|container|starting-style)\b/;

const MAX_CACHED_SELECTIONS = 100;

/**
 * Parses the style sheet once. The result replaces the marker in a document by its critical CSS.
 */
export function createCriticalCss(stylesheet: string): (html: string) => string {
  const rules = parseRules(stylesheet.replaceAll(/\/\*[\s\S]*?\*\//g, ''));
  // Renderings of one page contain the same classes.
  const selections = new Map<string, string>();

  function select(html: string): string {
    const attributes = new Set(Array.from(html.matchAll(/\sclass="([^"]*)"/g), ([, value = '']) => value));
    const key = [...attributes].join('|');
    const cached = selections.get(key);
    if (cached !== undefined) return cached;
    const classes = new Set([...attributes].flatMap((value) => decodeEntities(value).split(/\s+/)));
    const css = print(rules, ({ classLists }) => classLists.some((list) => list.every((name) => classes.has(name))));
    if (selections.size >= MAX_CACHED_SELECTIONS) selections.clear();
    selections.set(key, css);
    return css;
  }

  return (html) => html.replace(CRITICAL_CSS_MARKER, () => select(html));
}

const decodeEntities = (text: string) =>
  text.replaceAll('&gt;', '>').replaceAll('&lt;', '<').replaceAll('&quot;', '"').replaceAll('&#x27;', "'").replaceAll('&amp;', '&');

/**
 * Prints the selected rules. Omits grouping rules, such as `@media`, that would be empty. An empty
 * layer keeps its place: the first names of all layers decide their order, also for the whole
 * style sheet later.
 */
const print = (rules: readonly Rule[], isSelected: (rule: Rule) => boolean): string =>
  rules
    .map((rule) => {
      const { prelude, body } = rule;
      if (typeof body === 'string') return isSelected(rule) ? (body === ';' ? `${prelude};` : `${prelude}{${body}}`) : '';
      const content = print(body, isSelected);
      if (content === '' && prelude.startsWith('@layer ')) return `${prelude};`;
      return content && `${prelude}{${content}}`;
    })
    .join('');

/** Returns the rules of a sheet. A grouping rule, such as `@media`, contains parsed rules. */
function parseRules(css: string): Rule[] {
  const rules: Rule[] = [];
  let start = 0;
  while (start < css.length) {
    const length = css.slice(start).search(/[{;]/);
    if (length < 0) break;
    const prelude = css.slice(start, start + length).trim();
    if (css[start + length] === ';') {
      rules.push({ prelude, body: ';', classLists: [[]] });
      start += length + 1;
      continue;
    }
    const end = indexOfClosingBrace(css, start + length);
    const body = css.slice(start + length + 1, end);
    rules.push({
      prelude,
      body: GROUPING_RULE.test(prelude) ? parseRules(body) : body,
      classLists: prelude.startsWith('@') ? [[]] : classListsOf(prelude),
    });
    start = end + 1;
  }
  return rules;
}

/** Returns the length of the sheet if the brace is not closed. */
function indexOfClosingBrace(css: string, openingBrace: number): number {
  let depth = 0;
  for (let index = openingBrace; index < css.length; index += 1) {
    if (css[index] === '{') depth += 1;
    if (css[index] === '}' && --depth === 0) return index;
  }
  return css.length;
}

/** Returns the classes of each selector in the list, without those inside `:not()`. */
const classListsOf = (selectors: string): string[][] =>
  selectors
    .replaceAll(/:not\((?:[^()]|\([^()]*\))*\)/g, '')
    .split(/,(?![^(]*\))/)
    .map((selector) =>
      Array.from(selector.matchAll(/\.((?:\\[0-9a-f]{1,6} ?|\\.|[\w-])+)/g), ([, name = '']) =>
        name.replaceAll(/\\([0-9a-f]{1,6}) ?|\\(.)/g, (_escape, hex: string | undefined, character: string | undefined) =>
          hex ? String.fromCodePoint(Number.parseInt(hex, 16)) : (character ?? ''),
        ),
      ),
    );
