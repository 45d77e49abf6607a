import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Mobile } from './mobile.ts';
import { decodeReferralCode, readReferral, encodeReferralCode } from './referral-code.ts';

test('encodes 0 to 9 as the letters of LAUNDRYBOX', () => {
  expect(encodeReferralCode('0123456789' as Mobile)).toBe('LAUNDRYBOX');
});

test('decodes the code of every mobile number, in upper and lower case', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[0-9]{10}$/), (digits) => {
      const code = encodeReferralCode(digits as Mobile);
      expect(decodeReferralCode(code)).toBe(digits);
      expect(decodeReferralCode(code.toLowerCase())).toBe(digits);
    }),
  );
});

test.each<[string, string | undefined, string]>([
  ['xobyrdnual', '9876543210', 'a code'],
  ['https://dhulai.example/XOBYRDNUAL', '9876543210', 'a link'],
  ['dhulai.example/XOBYRDNUAL/?from=chat', '9876543210', 'a link with a query'],
  ['dhulai.example/XOBYRDNUAL//#top', '9876543210', 'a link with more slashes and a fragment'],
  [' XOBYRDNUAL\n', '9876543210', 'a code with white space around it'],
  ['XOBYRDNUAL?a\nb', '9876543210', 'a link that was broken into lines'],
  ['+91 98765-43210', '9876543210', 'a mobile'],
  [' 09876543210 ', '9876543210', 'a mobile with a leading zero'],
  ['', undefined, 'nothing'],
  ['LAUNDRYBO', undefined, 'nine letters'],
  ['LAUNDRYBOXX', undefined, 'eleven letters'],
  ['HELLOHELLO', undefined, 'letters outside the alphabet'],
  ['call 9876543210 now', undefined, 'a sentence'],
  ['call 9876543210', undefined, 'words before a mobile'],
  ['9876543210 now', undefined, 'words after a mobile'],
  ['XOBYRDNU-AL', undefined, 'a code with a symbol inside'],
])('%s is read as %s: %s', (text, mobile, _what) => {
  expect(readReferral(text)).toBe(mobile);
});
