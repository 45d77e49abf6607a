import { beforeEach, expect, test, vi } from 'vitest';
import { clearSession, storeSession } from './change-session.ts';
import { endTabSession, restoreSession } from './session-user.ts';

const meera = { name: 'Meera Nair', email: '', mobile: '9876501234', userid: 'U1', wallet: 0 };

beforeEach(() => {
  const forbidden = () => {
    throw new DOMException('The operation is insecure', 'SecurityError');
  };
  vi.stubGlobal('sessionStorage', { getItem: forbidden, setItem: forbidden, removeItem: forbidden, clear: forbidden });
  vi.stubGlobal('document', { cookie: 'signed_in=1' });
});

test('does not throw if session storage is forbidden', () => {
  expect(restoreSession()).toBe(true);
  expect(() => storeSession(meera)).not.toThrow();
  expect(() => endTabSession()).not.toThrow();
  expect(() => clearSession()).not.toThrow();
});
