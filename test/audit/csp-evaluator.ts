/** csp_evaluator: the content security policy of one response of each kind. */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { folder } from './npm-tools.ts';
import type { AuditTool, Finding, Request } from './tool.ts';

/** The part of csp_evaluator that is used. Its packages are installed at the first run only. */
interface Evaluator {
  CspEvaluator: new (csp: unknown) => { evaluate(): { description: string; directive: string; value?: string }[] };
}
interface Parser {
  CspParser: new (policy: string) => { csp: unknown };
}

export const cspEvaluator: AuditTool = {
  name: 'csp_evaluator',
  modes: ['demo', 'live'],
  run: async ({ url, cookie, responses }) => {
    const { CspEvaluator } = await load<Evaluator>('evaluator');
    const { CspParser } = await load<Parser>('parser');
    const policies = new Set<string>();
    const findings: Finding[] = [];
    for (const request of responses) {
      const policy = await policyOf(url, cookie, request);
      if (policy) policies.add(policy);
      else findings.push({ text: 'no policy', place: request.title });
      for (const { directive, value, description } of policy ? new CspEvaluator(new CspParser(policy).csp).evaluate() : []) {
        findings.push({ text: [directive, value, description].filter(Boolean).join(': '), place: request.title });
      }
    }
    return { extent: `${responses.length} responses, ${policies.size} policies`, findings };
  },
};

const load = <Module>(name: string) =>
  import(pathToFileURL(path.join(folder, `node_modules/csp_evaluator/dist/${name}.js`)).href) as Promise<Module>;

async function policyOf(url: string, cookie: string, { method, path: target, headers, body }: Request): Promise<string | null> {
  const response = await fetch(`${url}${target}`, {
    method,
    redirect: 'manual',
    headers: { cookie, ...headers },
    ...(body !== undefined && { body }),
    signal: AbortSignal.timeout(10_000),
  });
  await response.arrayBuffer();
  return response.headers.get('content-security-policy');
}
