import { useLanguage } from '../../../i18n/language.tsx';
import type { Claim } from '../contract.ts';

/** The reversed part of the credit of a claim. Renders nothing without a reversal. */
export function ReversedCredit({ claim: { reversed, reversed_at: reversedAt } }: { claim: Claim }) {
  const { t, rupees, day } = useLanguage();
  if (reversed === null || reversedAt === null) return null;
  return (
    <p className="mt-2 font-semibold">
      {t('The compensation of {amount} was taken back from your wallet on {day}.', {
        amount: rupees(reversed),
        day: day(reversedAt.slice(0, 10)),
      })}
    </p>
  );
}
