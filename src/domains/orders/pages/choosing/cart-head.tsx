import { useEffect, useRef } from 'react';
import { useLanguage } from '../../../../i18n/language.tsx';
import { PinIcon } from '../../../../ui/icons/navigation.tsx';
import { textLinkStyles } from '../../../../ui/actions/link-styles.ts';
import { areaNames } from '../../../catalogue/contract.ts';
import { CART_STAGE, cartActions, type Draft } from '../draft/cart-state.ts';
import { changeDraft } from '../draft/draft.ts';

const STAGE_COUNT = Object.keys(CART_STAGE).length;

/** Where in the cart the customer is. Its title takes the focus whenever a stage begins, so that the change is heard. */
export function CartHead({ draft: { stage, area }, title }: { draft: Draft; title: string }) {
  const { t, translateData } = useLanguage();
  const heading = useRef<HTMLHeadingElement>(null);
  const step = stage + 1;
  useEffect(() => heading.current?.focus(), []);
  return (
    <div className="mb-4 space-y-3">
      <progress
        className="bar"
        max={STAGE_COUNT}
        value={step}
        aria-label={t('Your order')}
        aria-valuetext={t('Step {step} of {count}', { step, count: STAGE_COUNT })}
      />
      <h3 ref={heading} tabIndex={-1} className="text-lg font-semibold">
        {title}
      </h3>
      {stage !== CART_STAGE.area && area !== 'none' && (
        <p className="flex items-center gap-2 text-sm">
          <span className="text-accent-ink">
            <PinIcon small />
          </span>
          <span className="font-medium">{translateData(areaNames[area])}</span>
          <button type="button" className={`${textLinkStyles} -my-2 min-h-11 px-1`} onClick={() => changeDraft(cartActions.change)}>
            {t('change')}
          </button>
        </p>
      )}
    </div>
  );
}
