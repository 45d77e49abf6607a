/**
 * html-validate: every page as it is served, and as Chromium renders it for a customer, in each
 * language.
 */
import { HtmlValidate } from 'html-validate';
import { renderPages } from './rendered-pages.ts';
import type { AuditTool, Finding } from './tool.ts';

const validator = new HtmlValidate({
  root: true,
  extends: ['html-validate:recommended', 'html-validate:document'],
  rules: {
    // Spellings that mean the same. React and Chromium choose them.
    'attr-case': 'off',
    'attribute-boolean-style': 'off',
    'attribute-empty-style': 'off',
    'doctype-style': 'off',
    'prefer-tbody': 'off',
    'void-style': 'off',
    // React's ids start with an underscore, which HTML allows.
    'valid-id': ['error', { relaxed: true }],
    // HTML defines text as the default.
    'no-implicit-input-type': 'off',
    // A password field becomes a text field when the password is shown.
    'input-attributes': 'off',
    // Scripts and styles come from the same origin only, as the content security policy demands.
    'require-sri': 'off',
    // The specified texts have ordinary spaces.
    'tel-non-breaking': 'off',
  },
});

export const htmlValidate: AuditTool = {
  name: 'html-validate',
  modes: ['demo'],
  run: async (target) => {
    const rendered = await renderPages(target);
    const findings: Finding[] = [];
    for (const { title, path } of target.pages) {
      const response = await fetch(`${target.url}${path}`, { headers: { cookie: target.cookie }, signal: AbortSignal.timeout(10_000) });
      findings.push(...(await findingsOf(await response.text(), `${title} (served)`)));
    }
    for (const { title, html } of rendered) findings.push(...(await findingsOf(html, title)));
    return { extent: `${target.pages.length} served and ${rendered.length} rendered pages`, findings };
  },
};

async function findingsOf(html: string, place: string): Promise<Finding[]> {
  const { results } = await validator.validateString(html);
  return results.flatMap(({ messages }) => messages.map(({ ruleId, message }) => ({ text: `${ruleId}: ${message}`, place })));
}
