import { CallRefused } from '../../../contract/call-failures.ts';
import type { Envelope } from '../../../contract/define-call.ts';
import { useMutation } from '../../../browser/use-mutation.ts';
import { showToast } from '../../../ui/feedback/toast.ts';
import type { Message, MessageKey } from '../../../i18n/messages.ts';
import { isDoneBefore, type StaffCall } from '../../staff/desk/contract.ts';
import { showProblem, showRefusal } from '../../staff/desk/show-problem.ts';
import { useKeyedSend } from '../../staff/desk/use-keyed-send.ts';
import type { attempt, DeskOrder, move, receive, weigh } from './contract.ts';
import { explainStale, isMovedPickup } from './refusals.ts';

interface Request<Body> {
  call: StaffCall<Body, DeskOrder>;
  body: NoInfer<Body>;
  /** As in `KeyedSend`: the fields that the form takes from the screen. */
  live?: readonly (keyof NoInfer<Body> & string)[] | undefined;
  /** Shown once the change is made. */
  done: MessageKey;
  /** Shows an error in the form. Without it, a toast does. */
  onRefusal?: ((error: Message) => void) | undefined;
  /**
   * As in `useOpenedVersion`: returns true if the form, after this error of a stale version, is
   * sent again with the version that the person saw.
   */
  keepsVersionAfter?: ((error: Message) => boolean) | undefined;
}

interface SentRequest extends Pick<Request<unknown>, 'done' | 'onRefusal'> {
  sendRequest(): Promise<Envelope<DeskOrder>>;
}

interface ChangeOptions {
  onOrder(order: DeskOrder): void;
  /** Another person has changed the order. */
  onConflict(): void;
}

/** Sends changes whose body is a `Bound`. */
export type SendChangeOf<Bound> = <Body extends Bound>(request: Request<Body>) => Promise<boolean>;
export type SendChange = SendChangeOf<unknown>;

type BodyOf<Call> = Call extends StaffCall<infer Body, DeskOrder> ? Body : never;
/** The body of a change that a rider makes at the door. */
export type DoorBody = BodyOf<typeof weigh | typeof move | typeof attempt | typeof receive>;
/** Accepts only the changes that a rider makes at the door. The round can send them later. */
export type SendDoorChange = SendChangeOf<DoorBody>;

/**
 * Sends changes of an order. `change` resolves to true if the change was made. Otherwise it shows
 * the error and resolves to false.
 */
export function useChange({ onOrder, onConflict }: ChangeOptions): { pending: boolean; change: SendChange } {
  const send = useKeyedSend();
  const { pending, mutate } = useMutation<SentRequest, boolean>({
    async mutationFn({ sendRequest, done, onRefusal }) {
      try {
        const result = await sendRequest();
        if (result.response !== 'success') {
          showRefusal(result, onRefusal);
          return false;
        }
        showToast({ theme: 'green', text: done });
        onOrder(result.data);
        return true;
      } catch (error) {
        // An order of another day would disappear with the form that offers to go on.
        const refusal = error instanceof CallRefused ? explainStale(error) : undefined;
        const isMoved = refusal !== undefined && isMovedPickup(refusal);
        if (error instanceof CallRefused && (isDoneBefore(error) || (error.status === 409 && !isMoved))) onConflict();
        if (refusal) showRefusal(refusal, onRefusal);
        else showProblem(error, 'changing an order', onRefusal);
        return false;
      }
    },
    onError: (error) => showProblem(error, 'changing an order'),
  });
  const change: SendChange = async ({ call, body, live, ...rest }) =>
    (await mutate({ sendRequest: () => send(call, body, live), ...rest })) ?? false;
  return { pending, change };
}
