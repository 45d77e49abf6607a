import { useMutation } from '../../../browser/use-mutation.ts';
import type { ListedOrder } from '../../order-desk/desk/contract.ts';
import type { SendChange } from '../../order-desk/desk/use-change.ts';
import { showProblem } from '../../staff/desk/show-problem.ts';
import { addEntry } from './entries.ts';
import { ENTRY_CALLS, type Change } from './entry.ts';

/** Like `useChange`, for changes that wait on this phone until the server has made them. */
export function useKeptChange(stop: ListedOrder): { pending: boolean; change: SendChange } {
  const { pending, mutate } = useMutation<Change, boolean>({
    async mutationFn(change) {
      await addEntry(change, stop);
      return true;
    },
    onError: (error) => showProblem(error, 'keeping an entry'),
  });
  const change: SendChange = async ({ call: { path }, body }) => {
    const [call] = Object.entries(ENTRY_CALLS).find(([, other]) => other.path === path) ?? [];
    // The entry has them.
    const rest = Object.entries(body as object).filter(([name]) => name !== 'orderid' && name !== 'version');
    return (await mutate({ call, body: Object.fromEntries(rest) } as Change)) ?? false;
  };
  return { pending, change };
}
