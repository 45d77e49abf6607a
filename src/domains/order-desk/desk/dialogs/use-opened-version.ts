import { useState } from 'react';
import type { Message } from '../../../../i18n/messages.ts';
import { showError } from '../../../staff/desk/show-problem.ts';
import { weigh } from '../contract.ts';
import { isOfCode } from '../refusals.ts';
import { CANCELLED_MEANWHILE, MOVED_PICKUP } from '../rules.ts';
import type { SendChangeOf } from '../use-change.ts';

const STALE = ['changed-meanwhile', ...MOVED_PICKUP, ...CANCELLED_MEANWHILE];

/**
 * Returns `send` with the version that the order had when the dialog was opened: a live update must
 * not hide that the order changed since. After a refusal that states the change, and after a change
 * made in the dialog itself, the current version counts. `opening` identifies the open dialog.
 */
export function useOpenedVersion<Bound>(opening: string | undefined, current: number, send: SendChangeOf<Bound>): SendChangeOf<Bound> {
  const [opened, setOpened] = useState<{ opening: string | undefined; version: number | null }>({ opening, version: current });
  if (opened.opening !== opening) setOpened({ opening, version: current });
  return async (request) => {
    const { call, body, onRefusal = showError } = request;
    const isVersioned = typeof body === 'object' && body !== null && 'version' in body;
    const release = () => setOpened((state) => (state.opening === opening ? { opening, version: null } : state));
    const refuse = (error: Message) => {
      // A weighing of a moved pickup is sent again with the version that the person saw.
      const isAgreement = call.path === weigh.path && [...MOVED_PICKUP].some((code) => isOfCode(error, code));
      const isStale = STALE.some((code) => isOfCode(error, code));
      // The last wrong code changes the order.
      if ((isStale && !isAgreement) || isOfCode(error, 'too-many-codes')) release();
      onRefusal(error);
    };
    const version = opened.version ?? current;
    const isMade = await send({ ...request, body: isVersioned ? { ...body, version } : body, onRefusal: refuse });
    if (isMade) release();
    return isMade;
  };
}
