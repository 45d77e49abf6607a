import { expect, test } from 'vitest';
import { isEmail } from './rules.ts';

test.each(['a@b.c', 'meera.nair+laundry@post.example.in', 'आशा@उदाहरण.भारत'])('accepts %s', (text) => {
  expect(isEmail(text)).toBe(true);
});

test.each([
  '',
  'meera',
  '@post.example',
  'meera@',
  'meera@post',
  'meera@.example',
  'meera@post.',
  'meera@post..example',
  'me era@post.example',
  'meera@po st.example',
  'meera@post.exa mple',
  'meera@@post.example',
  'meera@post@post.example',
  'meera@post.ex@mple',
  ' meera@post.example',
  'meera@post.example ',
])('rejects %j', (text) => {
  expect(isEmail(text)).toBe(false);
});
