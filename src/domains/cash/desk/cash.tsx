/** The cash that each person holds, hand-ins and their differences. */
import { useState } from 'react';
import { CallRefused } from '../../../contract/call-failures.ts';
import { useMutation } from '../../../browser/use-mutation.ts';
import { useQuery } from '../../../browser/use-query.ts';
import { useLanguage } from '../../../i18n/language.tsx';
import { msg, type MessageKey } from '../../../i18n/messages.ts';
import { asPaise } from '../../../lib/money.ts';
import { showToast } from '../../../ui/feedback/toast.ts';
import { Dialog } from '../../../ui/overlays/dialog.tsx';
import type { Envelope } from '../../../contract/define-call.ts';
import { LoadState } from '../../staff/desk/load-state.tsx';
import { LiveStatus } from '../../staff/desk/live-status.tsx';
import { staffRead } from '../../staff/desk/session.ts';
import { useKeyedSend } from '../../staff/desk/use-keyed-send.ts';
import { showProblem, showRefusal } from '../../staff/desk/show-problem.ts';
import { StaffPage } from '../../staff/desk/staff-page.tsx';
import { TextDialog } from '../../staff/desk/text-dialog.tsx';
import { useDeskEvents } from '../../staff/desk/use-desk-events.ts';
import { cashError, explainDifference, getCash, handIn, type Cash, type HandIn, type Holder } from './contract.ts';
import { CountForm } from './count-form.tsx';
import { HandIns } from './hand-ins.tsx';
import { Holders } from './holders.tsx';

type Open = { dialog: 'count'; holder: Holder; error: string | null } | { dialog: 'explain'; handin: HandIn };

export function Component() {
  const { t, formatMessage } = useLanguage();
  const [open, setOpen] = useState<Open>();
  const [changed, setChanged] = useState<Cash>();
  const query = useQuery<Cash>({
    queryKey: [],
    queryFn: ({ signal }) => staffRead(getCash, {}, { signal }),
    onError: (error) => showProblem(error, 'loading the cash'),
  });
  const keyedSend = useKeyedSend();
  const { pending, mutate } = useMutation<{ send(): Promise<Envelope<Cash>>; done: MessageKey }, boolean>({
    async mutationFn({ send, done }) {
      const result = await send();
      if (result.response !== 'success') {
        showRefusal(result);
        return false;
      }
      setChanged(result.data);
      setOpen(undefined);
      showToast({ theme: 'green', text: done });
      return true;
    },
    onError: (error) => {
      if (error instanceof CallRefused && error.status === 409) void showCurrent(error);
      else showProblem(error, 'changing the cash');
    },
  });
  /** The form stays open with its count, which is compared with the current amount. */
  const showCurrent = async (error: CallRefused) => {
    const current = await query.refetch();
    if (!current) return;
    setChanged(undefined);
    setOpen((before) => {
      if (before?.dialog !== 'count') return before;
      const { personid } = before.holder;
      const holder = current.holders.find((row) => row.personid === personid) ?? { ...before.holder, held: asPaise(0) };
      return { ...before, holder, error: formatMessage(error) };
    });
  };
  const live = useDeskEvents(
    async () => {
      if ((await query.refetch()) === undefined) return false;
      setChanged(undefined);
      return true;
    },
    { cash: true },
  );
  const cash = changed ?? (query.status === 'success' ? query.data : undefined);
  const close = () => setOpen(undefined);
  return (
    <StaffPage title={t('Cash')} width="text" actions={<LiveStatus {...live} />}>
      <LoadState query={query} loading={t('Loading the cash')} failed={t('The cash could not be loaded')} shapes={['block', 'block']} />
      {cash && (
        <>
          <Holders cash={cash} onCount={(holder) => setOpen({ dialog: 'count', holder, error: null })} />
          <HandIns
            title={t('Open differences')}
            empty={t('Every hand-in fits.')}
            handins={cash.differences}
            onExplain={(handin) => setOpen({ dialog: 'explain', handin })}
          />
          <HandIns title={t('Last hand-ins')} empty={t('Nothing was handed in yet.')} handins={cash.handins} />
        </>
      )}
      <Dialog open={open?.dialog === 'count'} onClose={close} title={t('Count the cash')}>
        {open?.dialog === 'count' && (
          <CountForm
            holder={open.holder}
            refusal={open.error}
            pending={pending}
            onSubmit={(counted, rest) =>
              void mutate({
                send: () => {
                  const { personid, held: expected } = open.holder;
                  return keyedSend(handIn, { personid, counted, expected, ...(rest && { rest }) });
                },
                done: msg('The hand-in is noted'),
              })
            }
          />
        )}
      </Dialog>
      <TextDialog
        open={open?.dialog === 'explain'}
        title={t('Explain the difference')}
        label={t('Reason')}
        required={formatMessage(cashError('explanation-required'))}
        submitLabel={t('Save')}
        pending={pending}
        onSubmit={async (explanation) => {
          if (open?.dialog !== 'explain') return false;
          const { handinid } = open.handin;
          const send = () => keyedSend(explainDifference, { handinid, explanation });
          return (await mutate({ send, done: msg('The difference is explained') })) ?? false;
        }}
        onClose={close}
      />
    </StaffPage>
  );
}
