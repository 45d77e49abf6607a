import { useState } from 'react';
import { tabStorage } from '../../../browser/tab-storage.ts';
import type { AddressValues } from './address-editor.tsx';

interface UnfinishedAddress {
  userid: string;
  /** The id of the edited address, or 'new'. */
  form: string;
  values: AddressValues;
}

const storage = tabStorage<UnfinishedAddress | null>('unfinishedaddress', null);

/**
 * Stores the address form that a customer has begun. It survives a reload and the closing of the
 * form, until the customer saves or cancels it, changes another form, or logs out.
 */
export function useUnfinishedAddress(userid: string, form = 'new') {
  const [values] = useState(() => {
    const stored = storage.get();
    return stored?.userid === userid && stored.form === form ? stored.values : undefined;
  });
  return {
    values,
    store: (changed: AddressValues) => storage.set({ userid, form, values: changed }),
    discard: storage.clear,
  };
}
