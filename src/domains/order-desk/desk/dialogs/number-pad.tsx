import { useId, type ReactNode } from 'react';
import { useLanguage } from '../../../../i18n/language.tsx';

const KEYS = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '.', '0'] as const;

interface MarkedFieldProps {
  isMarked: boolean;
  children: ReactNode;
}

/** Marks the field that the number pad writes into, also while the focus is elsewhere. */
export const MarkedField = ({ isMarked, children }: MarkedFieldProps) => (
  <div
    className={isMarked ? '[&_input]:outline-3 [&_input]:outline-solid [&_input]:outline-accent' : undefined}
    {...(isMarked && { 'data-marked': true })}
  >
    {children}
  </div>
);

interface NumberPadProps {
  /** The label of the field that the keys write into. */
  field: string;
  value: string;
  /** Offers the point. Any digits after it are written: the form explains an excess. */
  isDecimal?: boolean;
  onChange(value: string): void;
}

/** Large keys for wet hands. */
export function NumberPad({ field, value, isDecimal = false, onChange }: NumberPadProps) {
  const { t } = useLanguage();
  const id = useId();
  const press = (key: string) => {
    if (key === '.' && /[.,]/.test(value)) return;
    onChange(value === '0' && key !== '.' ? key : value + key);
  };
  return (
    <div role="group" aria-label={t('Number pad')} aria-describedby={id} className="grid grid-cols-3 gap-2">
      <p id={id} aria-live="polite" className="col-span-3 text-sm text-ink-soft">
        {t('Writes into: {field}', { field })}
      </p>
      {KEYS.map((key) => (
        <button key={key} type="button" disabled={key === '.' && !isDecimal} onClick={() => press(key)} className={keyStyles}>
          {key}
        </button>
      ))}
      <button type="button" aria-label={t('Delete the last digit')} onClick={() => onChange(value.slice(0, -1))} className={keyStyles}>
        ⌫
      </button>
    </div>
  );
}

const keyStyles =
  'min-h-14 rounded-field border border-edge bg-surface text-xl font-semibold tabular-nums select-none hover:bg-sunk active:bg-sunk disabled:opacity-45';
