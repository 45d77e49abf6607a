import { bagsText } from '../../order-desk/desk/bags-text.ts';
import { useState } from 'react';
import { useMutation } from '../../../browser/use-mutation.ts';
import { formatDayTime } from '../../../i18n/day-time.ts';
import { useLanguage, type Language } from '../../../i18n/language.tsx';
import { msg, type MessageKey } from '../../../i18n/messages.ts';
import { kolkataDateTime } from '../../../lib/dates.ts';
import { formatKilograms } from '../../../lib/money.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { ConfirmDialog } from '../../../ui/overlays/confirm-dialog.tsx';
import { ATTEMPT_TEXTS, METHOD_TEXTS, PHOTO_KIND_TEXTS } from '../../order-desk/desk/desk-texts.ts';
import { stageDisplay } from '../../orders/contract.ts';
import { showProblem } from '../../staff/desk/show-problem.ts';
import { isMovedPickup, isWrongCode } from '../../order-desk/desk/refusals.ts';
import { collectNow, discardEntry, sendAgain } from './entries.ts';
import { blocksPayments, totalPaise, unblockedEntries, unsentPayments, type Entry } from './entry.ts';

interface EntryItemProps {
  entry: Entry;
  /** All entries of the person. */
  entries: readonly Entry[];
  /** Outside the card of its stop. */
  showsOrder?: boolean;
  /** The amount of the order is known. */
  isPayable?: boolean;
  /** The customer has the clothes, so that a hand-over can only be discarded. */
  isFinished?: boolean;
  /** Opens the form of the hand-over, whose entry replaces a refused one. */
  onHandOver?: (() => void) | undefined;
  /**
   * Opens the form of a refused weighing whose figures correct those of another person. Undefined
   * if they correct none.
   */
  onWeigh?: (() => void) | undefined;
}

/** An entry that waits, or that was refused. */
export function EntryItem({
  entry,
  entries,
  showsOrder = false,
  isPayable = false,
  isFinished = false,
  onHandOver,
  onWeigh,
}: EntryItemProps) {
  const language = useLanguage();
  const { t, formatMessage } = language;
  const { refusal, at, orderid, name } = entry;
  return (
    <li className={`rounded-field border-s-4 bg-sunk p-3 text-sm ${refusal ? 'border-bad' : 'border-accent'}`}>
      {showsOrder && (
        <p className="font-medium [overflow-wrap:anywhere]">
          {name} · {orderid}
        </p>
      )}
      <p className="font-semibold [overflow-wrap:anywhere]">
        {refusal ? t('Not accepted: {entry}', { entry: describeEntry(language, entry) }) : describeEntry(language, entry)}
      </p>
      <p className="text-ink-soft">
        {[at !== null && formatDayTime(language, kolkataDateTime(new Date(at))), refusal === null && t(waitingText(entry, entries))]
          .filter(Boolean)
          .join(' · ')}
      </p>
      {refusal && (
        <>
          <p className="mt-1 font-medium text-bad-ink">{formatMessage(refusal)}</p>
          {refusal.code === 'wrong-device-time' && (
            <p className="mt-1">{t('Look at the order first: sent again, the entry has the time of the server.')}</p>
          )}
          <MoneyLine entry={entry} entries={entries} isPayable={isPayable} />
          <RefusedActions entry={entry} isPast={isFinished && isHandOverEntry(entry)} onHandOver={onHandOver} onWeigh={onWeigh} />
        </>
      )}
    </li>
  );
}

function waitingText(entry: Entry, entries: readonly Entry[]): MessageKey {
  if (!unblockedEntries(entries).includes(entry)) return msg('Waits for the entry that was not accepted');
  return isHandOverEntry(entry) ? msg('To be confirmed') : msg('Not sent yet');
}

/** The effect of a refused entry on the payments of its order. */
function MoneyLine({ entry, entries, isPayable }: Required<Pick<EntryItemProps, 'entry' | 'entries' | 'isPayable'>>) {
  const { t, rupees } = useLanguage();
  if (entry.call === 'photo') return null;
  const later = entries.filter(({ id, orderid }) => orderid === entry.orderid && id > entry.id);
  const taken = totalPaise(unsentPayments(later));
  if (!blocksPayments(entry)) return isPayable && <p className="mt-1">{t('Payments of this order do not wait for it: they are sent.')}</p>;
  if (taken === 0) return null;
  return (
    <p className="mt-1 font-medium">
      {t('The payment of {amount} waits for this entry and is not sent yet. Do not take it again.', { amount: rupees(taken) })}
    </p>
  );
}

interface RefusedActionsProps extends Pick<EntryItemProps, 'entry' | 'onHandOver' | 'onWeigh'> {
  /** The entry can only be discarded. */
  isPast: boolean;
}

function RefusedActions({ entry, isPast, onHandOver, onWeigh }: RefusedActionsProps) {
  const { t } = useLanguage();
  const [isAsking, setAsking] = useState(false);
  const again = useMutation({ mutationFn: sendAgain, onError: (error) => showProblem(error, 'sending an entry again') });
  const collect = useMutation({ mutationFn: collectNow, onError: (error) => showProblem(error, 'sending an entry again') });
  const discard = useMutation({ mutationFn: discardEntry, onError: (error) => showProblem(error, 'discarding an entry') });
  // The same code would be wrong again, and each wrong code uses up a try.
  const isCodeWrong = entry.refusal !== null && isWrongCode(entry.refusal);
  return (
    <div className="mt-2 flex flex-wrap gap-2">
      {isCodeWrong && !isPast && onHandOver && (
        <Button variant="secondary" size="small" onClick={onHandOver}>
          {t('Enter another code')}
        </Button>
      )}
      {entry.call === 'weigh' && entry.refusal !== null && isMovedPickup(entry.refusal) ? (
        <Button variant="secondary" size="small" pending={collect.pending} onClick={() => void collect.mutate(entry)}>
          {t('Collect today anyway')}
        </Button>
      ) : (
        !isCodeWrong &&
        !isPast && (
          <Button variant="secondary" size="small" pending={again.pending} onClick={onWeigh ?? (() => void again.mutate(entry))}>
            {t('Try again')}
          </Button>
        )
      )}
      <Button variant="quiet" size="small" onClick={() => setAsking(true)}>
        {t('Discard')}
      </Button>
      <ConfirmDialog
        open={isAsking}
        title={t('Discard this entry?')}
        message={t('The laundry does not get it, and it cannot be brought back.')}
        confirmLabel={t('Discard')}
        pending={discard.pending}
        error={null}
        onConfirm={() => void discard.mutate(entry)}
        onCancel={() => setAsking(false)}
      />
    </div>
  );
}

export const isHandOverEntry = (entry: Entry) => entry.call === 'move' && entry.body.code !== undefined;

/** Returns what the person noted. */
export function describeEntry(language: Language, entry: Entry): string {
  const { t, plural, rupees, translateData } = language;
  switch (entry.call) {
    case 'weigh': {
      const { weight, items, bags } = entry.body;
      return [
        plural(
          items,
          { one: '{weight} kg, {items} piece', other: '{weight} kg, {items} pieces' },
          { weight: formatKilograms(weight), items },
        ),
        bags !== undefined && bagsText(language, bags),
      ]
        .filter(Boolean)
        .join(' · ');
    }
    case 'move':
      return [
        isHandOverEntry(entry)
          ? t('Hand over with the code {code}', { code: entry.body.code ?? '' })
          : t('Move to {stage}', { stage: translateData(stageDisplay(entry.body.stage).label) }),
        entry.body.bags !== undefined && bagsText(language, entry.body.bags),
      ]
        .filter(Boolean)
        .join(' · ');
    case 'attempt':
      return `${t('Failed visit')} · ${t(ATTEMPT_TEXTS[entry.body.why])}`;
    case 'photo':
      return `${t('Photo')} · ${t(PHOTO_KIND_TEXTS[entry.body.kind])}`;
    case 'receive':
      return `${translateData(METHOD_TEXTS[entry.body.method] ?? entry.body.method)} · ${rupees(entry.body.amount)}`;
  }
}
