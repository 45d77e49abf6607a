import { formatDayTime } from '../../../../i18n/day-time.ts';
import { useLanguage } from '../../../../i18n/language.tsx';
import { Card } from '../../../../ui/layout/card.tsx';
import type { Order } from '../../contract.ts';
import { scalePhotoPath } from '../../history-contract.ts';
import { figuresBefore, historyText } from './history-texts.ts';

/** The history of the order, the oldest entry first, with the reasons of the laundry. */
export function OrderHistory({ order: { history } }: { order: Order }) {
  const language = useLanguage();
  const { t } = language;
  return (
    <Card as="section">
      <h2 className="font-semibold">{t('What happened')}</h2>
      <ol className="mt-3 space-y-3">
        {history.map((entry) => {
          const before = figuresBefore(language, history, entry);
          return (
            <li
              key={[entry.at, entry.kind, entry.method, entry.amount, entry.photoid].join()}
              className="border-s-2 border-line ps-3 text-sm"
            >
              <p className="font-medium wrap-anywhere">{historyText(language, entry)}</p>
              {before !== undefined && <p>{t('Before: {figures}', { figures: before })}</p>}
              {entry.photoid !== undefined && (
                <a href={scalePhotoPath(entry.photoid)} target="_blank" rel="noreferrer" className="mt-1 block w-24">
                  <img
                    src={scalePhotoPath(entry.photoid)}
                    alt={t('Photo of the scale')}
                    loading="lazy"
                    className="aspect-square w-full rounded-field border border-line bg-sunk object-cover"
                  />
                </a>
              )}
              <p className="text-ink-soft">{formatDayTime(language, entry.at)}</p>
            </li>
          );
        })}
      </ol>
    </Card>
  );
}
