import { msg, type MessageKey } from '../../../i18n/messages.ts';
import { useLanguage } from '../../../i18n/language.tsx';

const STEPS = [
  [msg('Choose'), msg('Wash, Wash + Iron or Iron, your area, your address. It takes a minute.')],
  [msg('We collect'), msg('In the evening, at your door. Clothes are weighed and counted there.')],
  [msg('Back in a day'), msg('Clean and folded or ironed. You follow every stage on your phone.')],
] as const satisfies readonly (readonly [MessageKey, MessageKey])[];

export function HowItWorks() {
  const { t } = useLanguage();
  return (
    <section aria-labelledby="how-title" className="below-fold space-y-4 pt-4">
      <h2 id="how-title" className="text-title font-bold">
        {t('How it works')}
      </h2>
      <ol className="grid gap-4 md:grid-cols-3 md:gap-5">
        {STEPS.map(([title, text], index) => (
          <li key={title} className="flex gap-4">
            <span className="grid size-11 shrink-0 place-items-center rounded-full bg-accent font-bold text-on-accent">{index + 1}</span>
            <div>
              <h3 className="font-bold">{t(title)}</h3>
              <p className="text-sm text-ink-soft">{t(text)}</p>
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}
