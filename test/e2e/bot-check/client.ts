import { solveBotCheck } from '../../../src/domains/bot-check/pages/solve-bot-check.ts';
import { fetchSend } from '../../../src/browser/client.ts';
import type { BotCheckConfig } from '../../../src/shared/site-config.ts';

// A page of the program reads this from its document. Here the test passes it in the URL.
const botCheck = JSON.parse(new URLSearchParams(location.search).get('check') ?? '') as BotCheckConfig;

document.querySelector('button')?.addEventListener('click', () => {
  const show = (text: string) => document.querySelector('output')?.replaceChildren(text);
  solveBotCheck(fetchSend, botCheck).then(
    (proof) => show(`proof: ${proof}`),
    (error: unknown) => show(String(error)),
  );
});
