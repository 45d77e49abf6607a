import { expect, test } from 'vitest';
import hi from './hi.json';
import { english } from './language.tsx';
import { fill, type TextKey } from './messages.ts';
import { languageOf } from './translation.ts';

const hindi = languageOf('hi', hi);

test('English is what the specification says, letter for letter', () => {
  expect(english.t('Create a account')).toBe('Create a account');
  expect(english.t('Welcome back {name}, what would you like to do today?', { name: 'Asha' })).toBe(
    'Welcome back Asha, what would you like to do today?',
  );
  expect(english.day('2026-11-05 10:00:00')).toBe('Nov 05, 2026');
  expect([english.rupees(123_450), english.rupees(12_345_600)]).toEqual(['₹1,234.50', '₹1,23,456']);
});

test('dates and amounts are written as their readers write them', () => {
  expect(hindi.day('2026-11-05 23:59:59')).toMatch(/^5 नव\S* 2026$/);
  expect(hindi.day('soon')).toBe('soon');
  expect([hindi.rupees(123_450), hindi.rupees(12_345_600)]).toEqual(['₹1,234.50', '₹1,23,456']);
});

test('a text has its values in the order of the language, and a value is never taken for a name', () => {
  expect(hindi.t('Referred by {name}', { name: '{name}' })).toBe('{name} ने आपको रेफ़र किया है');
  expect(fill('Paid ₹{amount} for order {orderid} with wallet', { amount: 5, orderid: '{amount}' })).toBe(
    'Paid ₹5 for order {amount} with wallet',
  );
});

test('a message that came with its values is recognised, the one with the most words of its own first', () => {
  const said = fill('Something went wrong while sending SMS on +91{mobile}, resend again', { mobile: '9876543210' });
  expect(hindi.say(said)).toBe(hindi.t('Something went wrong while sending SMS on +91{mobile}, resend again', { mobile: '9876543210' }));
  expect(hindi.say('No order found with order number 7')).toBe('ऑर्डर नंबर 7 का कोई ऑर्डर नहीं मिला');
  const moved = fill('The pickup you saw is closed meanwhile, the next one is on {shownDay}. Please place the order again', {
    shownDay: 'Nov 22, 2026',
  });
  expect(hindi.say(moved)).toMatch(/अगला 22 नव\S* 2026 को है/);
});

test('what is none of ours stays as it is', () => {
  for (const text of ['Asha Verma', '₹5 per kg', 'from A to B', '2 to 3', 'constructor', '']) expect(hindi.say(text)).toBe(text);
  expect(hindi.t('constructor' as TextKey)).toBe('constructor');
});
