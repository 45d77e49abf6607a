import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { msg, type MessageKey } from '../../../../i18n/messages.ts';
import { useLanguage } from '../../../../i18n/language.tsx';
import { Button } from '../../../../ui/actions/button.tsx';
import { Sheet } from '../../../../ui/overlays/sheet.tsx';
import { standaloneLinkStyles } from '../../../../ui/actions/link-styles.ts';
import { links } from '../../../../browser/links.ts';
import { useSessionUser } from '../../../../browser/session-user.ts';
import type { Service } from '../../../catalogue/rules.ts';
import { CartAddress } from './cart-address.tsx';
import { AreaCards } from './area-cards.tsx';
import { CartHead } from './cart-head.tsx';
import { CartOptions } from './cart-options.tsx';
import { CART_STAGE, figuresOf, missingParts, cartActions, proceedAction, type CartStage, type Draft } from '../draft/cart-state.ts';
import { changeDraft, useDraft, type KeyedDraft } from '../draft/draft.ts';
import { useFreshFigures } from '../draft/fresh-figures.ts';
import { perUnit } from '../draft/order-words.ts';

const TITLES: Readonly<Record<CartStage, MessageKey>> = {
  [CART_STAGE.area]: msg('Choose your area'),
  [CART_STAGE.options]: msg('Check your options'),
  [CART_STAGE.address]: msg('Pickup and delivery address'),
};

interface CartSheetProps {
  services: readonly Service[] | null;
  open: boolean;
  onClose(): void;
}

/** The bottom sheet of the home page, open from the picking of a service on (specification sections 2 and 4, "Cart"). */
export function CartSheet({ services, open, onClose }: CartSheetProps) {
  const { t, translateData } = useLanguage();
  const draft = useDraft();
  useFreshFigures(services, draft.service?.programid);
  const shown = useLastOpen(draft);
  const userid = useSessionUser()?.userid ?? null;
  const navigate = useNavigate();
  /** The draft for which Proceed was pressed in vain. */
  const [refused, setRefused] = useState<string>();

  const action = proceedAction(shown, userid);
  const proceed = () => {
    if (action === 'next-stage') changeDraft(cartActions.proceed);
    if (action === 'show-missing-parts') setRefused(shown.key);
    if (action === 'place-order') void navigate(links.confirm());
  };
  return (
    <Sheet
      open={open}
      onClose={onClose}
      title={translateData(shown.service?.name ?? '')}
      footer={<Footer draft={shown} disabled={action === 'disabled'} onProceed={proceed} />}
    >
      <CartHead key={shown.stage} draft={shown} title={t(TITLES[shown.stage])} />
      {shown.stage === CART_STAGE.area && <AreaCards draft={shown} />}
      {shown.stage === CART_STAGE.options && <CartOptions draft={shown} />}
      {shown.stage === CART_STAGE.address && (
        <CartAddress draft={shown} missing={missingParts(shown, userid)} refused={refused === shown.key} />
      )}
      {shown.stage !== CART_STAGE.area && (
        <Link to={links.stages()} className={`${standaloneLinkStyles} mt-2`}>
          {t('Review details')}
        </Link>
      )}
    </Sheet>
  );
}

/** While the sheet moves out it still shows what it showed. */
function useLastOpen(draft: KeyedDraft): KeyedDraft {
  const [last, setLast] = useState(draft);
  if (draft.service && draft !== last) setLast(draft);
  return draft.service ? draft : last;
}

function Footer({ draft, disabled, onProceed }: { draft: Draft; disabled: boolean; onProceed(): void }) {
  const language = useLanguage();
  const { t, rupees } = language;
  const figures = figuresOf(draft);
  return (
    <div className="flex items-center gap-4 max-[23rem]:gap-3">
      {figures && draft.service && (
        <p className="min-w-0 flex-1 text-sm text-ink-soft">
          <span className="block text-lg leading-6 font-bold text-ink tabular-nums max-[23rem]:text-base">
            {perUnit(language, figures.orderRatePaise, draft.service.unit)}
          </span>
          {figures.offer && (
            <>
              <span className="sr-only">{t('instead of')} </span>
              <s>{rupees(figures.ratePaise)}</s>{' '}
              <span className="font-semibold text-good">{t('{percent}% off', { percent: figures.offer.percent })}</span>
              <br />
            </>
          )}
          {t('Weighed at pickup')}
        </p>
      )}
      <div className="flex-1 max-[23rem]:flex-none">
        <Button variant="primary" wide disabled={disabled} onClick={onProceed}>
          {t('Proceed')}
        </Button>
      </div>
    </div>
  );
}
