import { useState } from 'react';
import type { Message } from '../../../../i18n/messages.ts';
import { showError } from '../../../staff/desk/show-problem.ts';
import { isOfCode, isStale } from '../refusals.ts';
import type { SendChangeOf } from '../use-change.ts';

/**
 * Returns `send` with the version that the order had when the dialog was opened: a live update must
 * not hide that the order changed since. After a refusal that states the change, unless
 * `keepsVersionAfter` returns true for it, and after a change made in the dialog itself, the
 * current version counts. `opening` identifies the open dialog.
 */
export function useOpenedVersion<Bound>(opening: string | undefined, current: number, send: SendChangeOf<Bound>): SendChangeOf<Bound> {
  const [opened, setOpened] = useState<{ opening: string | undefined; version: number | null }>({ opening, version: current });
  if (opened.opening !== opening) setOpened({ opening, version: current });
  return async (request) => {
    const { body, keepsVersionAfter, onRefusal = showError } = request;
    const isVersioned = typeof body === 'object' && body !== null && 'version' in body;
    const release = () => setOpened((state) => (state.opening === opening ? { opening, version: null } : state));
    const refuse = (error: Message) => {
      // The last wrong code changes the order.
      if ((isStale(error) && !keepsVersionAfter?.(error)) || isOfCode(error, 'too-many-codes')) release();
      onRefusal(error);
    };
    const version = opened.version ?? current;
    const isMade = await send({ ...request, body: isVersioned ? { ...body, version } : body, onRefusal: refuse });
    if (isMade) release();
    return isMade;
  };
}
