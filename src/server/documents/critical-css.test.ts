import { expect, test } from 'vitest';
import { criticalCss } from './critical-css.server.ts';

const SHEET = `/*! made by a tool */
@layer theme,base,utilities;
@layer theme{:root{--a:1}}
@layer utilities{.flex{display:flex}.grid{display:grid}.md\\:w-1\\/2{width:50%}@media (min-width:48rem){.md\\:flex{display:flex}.lg\\:grid{display:grid}}}
.a.b{color:red}.a .c,.d{color:blue}.e:not(.f){color:green}.\\[\\&\\>svg\\]\\:h-20>svg{height:5rem}.\\31 0{margin:0}
@media print{.gone{display:none}}
@keyframes breathe{0%{opacity:1}to{opacity:.5}}
@property --b{syntax:"*";inherits:false}`;

const pick = criticalCss(SHEET);
const always =
  '@layer theme,base,utilities;@layer theme{:root{--a:1}}@keyframes breathe{0%{opacity:1}to{opacity:.5}}@property --b{syntax:"*";inherits:false}';
/** What a document with these classes gets beyond what every document gets. */
const picked = (classes: string) =>
  always.split(/(?<=[;}])(?=@)/).reduce((left, part) => left.replace(part, ''), pick(`<p class="${classes}">`));

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
])('class="%s" takes %s', (classes, rules) => {
  expect(picked(classes)).toBe(rules);
});

test('what no class asks for comes always', () => {
  expect(pick('<p>')).toBe(always);
});
