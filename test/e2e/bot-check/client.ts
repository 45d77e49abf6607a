import { prove } from '../../../src/domains/bot-check/pages/prove.ts';
import { fetchSend } from '../../../src/browser/client.ts';
import { configureSite, site, type Site } from '../../../src/browser/site-config.ts';

// A page of the program carries this in its document; here the test says it in the address.
const botCheck = JSON.parse(new URLSearchParams(location.search).get('check') ?? '') as Site['botCheck'];
configureSite({ ...site(), botCheck });

document.querySelector('button')?.addEventListener('click', () => {
  const show = (text: string) => document.querySelector('output')?.replaceChildren(text);
  prove(fetchSend).then(
    (proof) => show(`proof: ${proof}`),
    (error: unknown) => show(String(error)),
  );
});
