import { bagsText } from '../bags-text.ts';
import { useLanguage, type Language } from '../../../../i18n/language.tsx';
import { formatDayTime } from '../../../../i18n/day-time.ts';
import { formatKilograms } from '../../../../lib/money.ts';
import { Badge } from '../../../../ui/feedback/badge.tsx';
import { Card } from '../../../../ui/layout/card.tsx';
import { stageDisplay } from '../../../orders/contract.ts';
import type { DeskOrder, HistoryEntry } from '../contract.ts';
import { ATTEMPT_TEXTS, HISTORY_TEXTS, METHOD_TEXTS, REVERSED_CASH_TEXTS } from '../desk-texts.ts';

/** The events of an order, the newest first, with author and both clocks. */
export function OrderHistory({ order: { history } }: { order: DeskOrder }) {
  const { t } = useLanguage();
  return (
    <Card as="section">
      <h2 className="font-semibold">{t('History')}</h2>
      <ol className="mt-3 space-y-3">
        {history.toReversed().map((entry) => (
          <Entry key={entry.version} entry={entry} />
        ))}
      </ol>
    </Card>
  );
}

function Entry({ entry }: { entry: HistoryEntry }) {
  const language = useLanguage();
  const { t } = language;
  const { at, device_at: deviceAt, by, note } = entry;
  const name = by.kind === 'staff' ? (by.name ?? '') : by.kind === 'customer' ? t('Customer') : t('Laundry');
  return (
    <li className="border-s-2 border-line ps-3 text-sm">
      <p className="font-medium">{describe(language, entry)}</p>
      {note !== null && <p className="[overflow-wrap:anywhere]">{note}</p>}
      <p className="text-ink-soft">
        {formatDayTime(language, at)} · {name}
      </p>
      {deviceAt !== null && entry.clocks_differ && (
        <p className="mt-1">
          <Badge tone="warn">{t('On the phone: {time}', { time: formatDayTime(language, deviceAt) })}</Badge>
        </p>
      )}
    </li>
  );
}

function describe(language: Language, entry: HistoryEntry): string {
  const { t, rupees, day, translateData } = language;
  const text = HISTORY_TEXTS[entry.kind];
  return [
    text ? t(text) : entry.kind,
    entry.stage !== null && entry.kind !== 'placed' && entry.kind !== 'cancelled' && translateData(stageDisplay(entry.stage).label),
    entry.weight !== null && t('{weight} kg', { weight: formatKilograms(entry.weight) }),
    entry.bags !== null && bagsText(language, entry.bags),
    entry.method !== null && translateData(METHOD_TEXTS[entry.method] ?? entry.method),
    entry.amount !== null && rupees(entry.amount),
    entry.cash !== null && t(REVERSED_CASH_TEXTS[entry.cash]),
    entry.rider,
    entry.pickup_date !== null && day(entry.pickup_date),
    entry.why !== null && t(ATTEMPT_TEXTS[entry.why] ?? ATTEMPT_TEXTS.other),
  ]
    .filter((part) => part !== false && part !== null)
    .join(' · ');
}
