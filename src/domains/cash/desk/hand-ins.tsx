import { formatDayTime } from '../../../i18n/day-time.ts';
import { useLanguage } from '../../../i18n/language.tsx';
import { Button } from '../../../ui/actions/button.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { Money } from '../../../ui/layout/money.tsx';
import { mayCall } from '../../staff/desk/contract.ts';
import { useMe } from '../../staff/desk/session.ts';
import type { HandIn } from './contract.ts';

interface HandInsProps {
  title: string;
  empty: string;
  handins: readonly HandIn[];
  onExplain?(handin: HandIn): void;
}

export function HandIns({ title, empty, handins, onExplain }: HandInsProps) {
  const language = useLanguage();
  const { t, rupees } = language;
  const { role } = useMe();
  return (
    <section aria-label={title}>
      <h2 className="text-lg font-bold">{title}</h2>
      {handins.length === 0 && <p className="mt-2 text-ink-soft">{empty}</p>}
      <ul className="mt-3 space-y-3">
        {handins.map((handin) => (
          <Card as="li" key={handin.handinid}>
            <p className="font-semibold [overflow-wrap:anywhere]">
              {handin.holder.personid === handin.counter.personid
                ? t('Banked by {name}', { name: handin.counter.name })
                : t('{holder} to {counter}', { holder: handin.holder.name, counter: handin.counter.name })}
            </p>
            <p className="mt-1 text-sm text-ink-soft">{formatDayTime(language, handin.at)}</p>
            <p className="mt-1 text-sm">
              {t('{counted} counted of {expected}', { counted: rupees(handin.counted), expected: rupees(handin.expected) })}
              {handin.difference !== 0 && (
                <>
                  {' '}
                  <Money amountPaise={Math.abs(handin.difference)} direction={handin.difference < 0 ? 'debit' : 'credit'} />
                </>
              )}
            </p>
            {handin.kept !== 0 && (
              <p className="mt-1 text-sm [overflow-wrap:anywhere]">
                {t('{amount} stayed with {name}', { amount: rupees(handin.kept), name: handin.holder.name })}
              </p>
            )}
            {handin.reversed !== 0 && (
              <p className="mt-1 text-sm">{t('{amount} of it was reversed later', { amount: rupees(handin.reversed) })}</p>
            )}
            {handin.explanation !== null && <p className="mt-1 text-sm [overflow-wrap:anywhere]">{handin.explanation}</p>}
            {onExplain && mayCall(role, 'staff/explaincash') && (
              <div className="mt-3">
                <Button variant="secondary" size="small" onClick={() => onExplain(handin)}>
                  {t('Explain')}
                </Button>
              </div>
            )}
          </Card>
        ))}
      </ul>
    </section>
  );
}
