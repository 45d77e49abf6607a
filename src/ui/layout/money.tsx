import { useLanguage } from '../../i18n/language.tsx';

const directions = {
  credit: { sign: '+', look: 'text-good' },
  debit: { sign: '-', look: 'text-bad-ink' },
} as const;

export type MoneyProps = {
  amountPaise: number;
  /** For a movement of money: the sign and the colour say which way it went. */
  direction?: keyof typeof directions;
};

/** An amount of money, in figures of equal width so that columns line up. */
export function Money({ amountPaise, direction }: MoneyProps) {
  const { rupees } = useLanguage();
  const { sign, look } = direction ? directions[direction] : { sign: amountPaise < 0 ? '-' : '', look: '' };
  return (
    <span className={`whitespace-nowrap tabular-nums ${look}`}>
      {sign}
      {rupees(Math.abs(amountPaise))}
    </span>
  );
}
