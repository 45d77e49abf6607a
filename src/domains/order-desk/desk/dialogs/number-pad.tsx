import { useLanguage } from '../../../../i18n/language.tsx';

const KEYS = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '.', '0'] as const;

/** Large keys for wet hands. `decimals` is the number of digits after the point. */
export function NumberPad({ value, decimals = 0, onChange }: { value: string; decimals?: number; onChange(value: string): void }) {
  const { t } = useLanguage();
  const press = (key: string) => {
    const [, fraction] = value.split('.');
    if (key === '.' && (decimals === 0 || fraction !== undefined)) return;
    if (fraction !== undefined && fraction.length >= decimals) return;
    onChange(value === '0' && key !== '.' ? key : value + key);
  };
  return (
    <div role="group" aria-label={t('Number pad')} className="grid grid-cols-3 gap-2">
      {KEYS.map((key) => (
        <button key={key} type="button" disabled={key === '.' && decimals === 0} onClick={() => press(key)} className={keyStyles}>
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
