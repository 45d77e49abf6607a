import { useLanguage } from '../../../i18n/language.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { claimKindNames } from '../pages/claim-texts.ts';
import { REASON_DAYS, type ClaimReason } from './contract.ts';

/** The number of claims for each reason, and what they cost. */
export function ClaimReasons({ reasons }: { reasons: readonly ClaimReason[] }) {
  const { t, rupees } = useLanguage();
  return (
    <Card as="section">
      <table className="w-full text-sm">
        <caption className="pb-2 text-start text-base font-semibold">{t('The last {days} days', { days: REASON_DAYS })}</caption>
        <thead className="text-ink-soft">
          <tr>
            <th scope="col" className="py-1 text-start font-medium">
              {t('What is wrong')}
            </th>
            <th scope="col" className="py-1 text-end font-medium">
              {t('Reported')}
            </th>
            <th scope="col" className="py-1 text-end font-medium">
              {t('Credited')}
            </th>
          </tr>
        </thead>
        <tbody className="tabular-nums">
          {reasons.map(({ kind, claims, credited }) => (
            <tr key={kind} className="border-t border-line">
              <th scope="row" className="py-2 text-start font-normal">
                {t(claimKindNames[kind])}
              </th>
              <td className="py-2 text-end">{claims}</td>
              <td className="py-2 text-end">{rupees(credited)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}
