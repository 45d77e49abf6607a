/** The consents of customers and guests are stored with their text. docs/decisions/0115. */
import { expect, test } from 'vitest';
import { newMobile, PASSWORD, verifyMobile } from '../../../test/support/customer.ts';
import { home, washInManesar } from '../../../test/support/ordering.ts';
import { useProgram } from '../../../test/support/program.ts';
import { newGuest } from '../../../test/support/seed-customers.ts';
import { findLanguage } from '../../i18n/catalogues.server.ts';
import { english } from '../../i18n/language.tsx';
import { newId } from '../../lib/ids.ts';
import { signUp } from '../accounts/contract.ts';
import { addOrder } from '../orders/contract.ts';
import { shownConsent } from './contract.ts';

const program = useProgram({ BOT_CHECK: 'off' });
const { t } = english;
const { t: inHindi } = findLanguage('hi');

const consentsOf = (customerId: string) =>
  program.db
    .selectFrom('consents')
    .select(['purpose', 'text', 'language', 'is_shown', 'at'])
    .where('customer_id', '=', customerId)
    .orderBy('at')
    .orderBy('language')
    .execute();

async function signUpWith(consent?: string) {
  const [caller, mobile] = [program.caller(), newMobile()];
  await verifyMobile(program, caller, mobile, 'signup');
  const body = { name: 'Asha Rao', mobile, password: PASSWORD, ...(consent !== undefined && { consent }) };
  const { data } = await caller.send(signUp, body);
  return data?.userid ?? '';
}

test('a sign-up stores the text that its page showed, with language and time', async () => {
  const text = shownConsent(inHindi, 'account');
  expect(text).not.toBe(shownConsent(t, 'account'));
  const userid = await signUpWith(text);
  expect(await consentsOf(userid)).toEqual([{ purpose: 'account', text, language: 'hi', is_shown: true, at: program.clock.now() }]);
});

test.each([undefined, '', 'I agree to nothing', shownConsent(t, 'order')])(
  'a sign-up with the text %j succeeds, and states that no page may have shown the text',
  async (consent) => {
    const userid = await signUpWith(consent);
    const text = shownConsent(t, 'account');
    expect(await consentsOf(userid)).toEqual([{ purpose: 'account', text, language: 'en', is_shown: false, at: program.clock.now() }]);
  },
);

test('the first order of a guest stores the consent once for each text; a refused order and a customer store none', async () => {
  const { caller, userid, mobile } = await newGuest(program);
  const order = { ...washInManesar, guest_address: { ...home, mobile } };
  const [text, hindi] = [shownConsent(t, 'order'), shownConsent(inHindi, 'order')];
  const placeWith = async (consent: string, key = newId()) =>
    (await caller.send(addOrder, { ...order, consent }, { idempotencyKey: key })).response;
  expect(
    (await caller.send(addOrder, { ...order, programrate: order.orderrate, orderrate: order.programrate, program: 'none', consent: text }))
      .response,
  ).toBe('error');
  expect(await consentsOf(userid)).toEqual([]);

  const first = program.clock.now();
  const key = newId();
  expect(await placeWith(text, key)).toBe('success');
  program.clock.advance(60);
  // The retry of an order after a change of the language is the same request.
  expect(await placeWith(hindi, key)).toBe('success');
  expect(await placeWith(text)).toBe('success');
  const stored = { purpose: 'order', text, language: 'en', is_shown: true, at: first };
  expect(await consentsOf(userid)).toEqual([stored]);
  expect(await placeWith(hindi)).toBe('success');
  expect(await consentsOf(userid)).toEqual([stored, { ...stored, text: hindi, language: 'hi', at: program.clock.now() }]);
});
