import { useMutation } from '../../../browser/use-mutation.ts';
import { msg, type Message, type MessageKey } from '../../../i18n/messages.ts';
import { showToast } from '../../../ui/feedback/toast.ts';
import type { DeskOrder, ListedOrder } from '../../order-desk/desk/contract.ts';
import type { SendDoorChange } from '../../order-desk/desk/use-change.ts';
import { showProblem, showRefusal } from '../../staff/desk/show-problem.ts';
import { addEntry } from './entries.ts';
import { ENTRY_CALLS, type Change } from './entry.ts';

/**
 * Returns `change`, which stores changes on this phone until the server has made them. It resolves
 * to true if the change is made or stored, otherwise shows the error and resolves to false. Calls
 * `onOrder` with the order if the change is made.
 */
export function useQueuedChange(stop: ListedOrder, onOrder?: (order: DeskOrder) => void): { pending: boolean; change: SendDoorChange } {
  const { pending, mutate } = useMutation<
    { change: Change; version: number; done: MessageKey; onRefusal?: ((error: Message) => void) | undefined },
    boolean
  >({
    async mutationFn({ change, version, done, onRefusal }) {
      const outcome = await addEntry(change, { ...stop, version });
      if (outcome.kind === 'refused') {
        showRefusal(outcome.refusal, onRefusal);
        return false;
      }
      if (outcome.kind === 'done' && outcome.order) onOrder?.(outcome.order);
      showToast({ theme: 'green', text: outcome.kind === 'done' ? done : msg('Kept on this phone until it can be sent') });
      return true;
    },
    onError: (error) => showProblem(error, 'keeping an entry'),
  });
  const change: SendDoorChange = async ({ call: { path }, body, done, onRefusal }) => {
    const [call] = Object.entries(ENTRY_CALLS).find(([, other]) => other.path === path) ?? [];
    // The entry stores the order and its version beside the body.
    const ownFields = Object.entries(body).filter(([name]) => name !== 'orderid' && name !== 'version');
    // The version of a form that was open while the order changed. A payment has none.
    const version = 'version' in body ? (body.version ?? stop.version) : stop.version;
    return (await mutate({ change: { call, body: Object.fromEntries(ownFields) } as Change, version, done, onRefusal })) ?? false;
  };
  return { pending, change };
}
