import { useLanguage } from '../../i18n/language.tsx';

const directions = {
  credit: { sign: '+', className: 'text-good' },
  debit: { sign: '-', className: 'text-bad-ink' },
} as const;

export type MoneyProps = {
  amountPaise: number;
  /** For a transaction: sign and colour show whether money was credited or debited. */
  direction?: keyof typeof directions;
};

/** An amount of money in tabular figures, so that columns align. */
export function Money({ amountPaise, direction }: MoneyProps) {
  const { rupees } = useLanguage();
  const { sign, className } = direction ? directions[direction] : { sign: amountPaise < 0 ? '-' : '', className: '' };
  return (
    <span className={`whitespace-nowrap tabular-nums ${className}`}>
      {sign}
      {rupees(Math.abs(amountPaise))}
    </span>
  );
}
