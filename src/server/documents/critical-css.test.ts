import { expect, test } from 'vitest';
import { createCriticalCss, CRITICAL_CSS_MARKER } from './critical-css.server.ts';

const SHEET = `/*! made by a tool */
@layer theme,base,utilities;
@layer theme{:root{--a:1}}
@layer utilities{.flex{display:flex}.grid{display:grid}.md\\:w-1\\/2{width:50%}@media (min-width:48rem){.md\\:flex{display:flex}.lg\\:grid{display:grid}}}
.a.b{color:red}.a .c,.d{color:blue}.e:not(.f){color:green}.\\[\\&\\>svg\\]\\:h-20>svg{height:5rem}.\\31 0{margin:0}
@media print{.gone{display:none}}
@keyframes breathe{0%{opacity:1}to{opacity:.5}}
@property --b{syntax:"*";inherits:false}`;

const criticalCss = createCriticalCss(SHEET);
const MARKER = `<style>${CRITICAL_CSS_MARKER}</style>`;
const select = (html: string) => /<style>(.*)<\/style>/.exec(criticalCss(MARKER + html))?.[1] ?? '';
const always =
  '@layer theme,base,utilities;@layer theme{:root{--a:1}}@layer utilities;@keyframes breathe{0%{opacity:1}to{opacity:.5}}@property --b{syntax:"*";inherits:false}';
/** The rules for a document with these classes, without the rules of every document. */
const selected = (classes: string) =>
  always.split(/(?<=[;}])(?=@)/).reduce((left, part) => left.replace(part, ''), select(`<p class="${classes}">`));

test.each([
  ['', ''],
  ['flex', '@layer utilities{.flex{display:flex}}'],
  ['md:flex', '@layer utilities{@media (min-width:48rem){.md\\:flex{display:flex}}}'],
  ['md:w-1/2', '@layer utilities{.md\\:w-1\\/2{width:50%}}'],
  ['a', ''],
  ['a b', '.a.b{color:red}'],
  ['a c', '.a .c,.d{color:blue}'],
  ['d', '.a .c,.d{color:blue}'],
  ['e', '.e:not(.f){color:green}'],
  ['[&amp;&gt;svg]:h-20', '.\\[\\&\\>svg\\]\\:h-20>svg{height:5rem}'],
  ['10', '.\\31 0{margin:0}'],
])('class="%s" selects %s', (classes, rules) => {
  expect(selected(classes)).toBe(rules);
});

test('rules without classes are always selected', () => {
  expect(select('<p>')).toBe(always);
});

test('a layer without selected rules keeps its place before the next one', () => {
  const inOrder = createCriticalCss('@layer components{.a{color:red}}@layer utilities{.b{color:blue}}');
  expect(inOrder(`<style>${CRITICAL_CSS_MARKER}</style><p class="b">`)).toContain(
    '<style>@layer components;@layer utilities{.b{color:blue}}</style>',
  );
});
