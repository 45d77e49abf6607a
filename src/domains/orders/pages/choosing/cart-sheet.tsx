import { useEffect, useId, useRef, useState, type Ref } from 'react';
import { Link, useNavigate } from 'react-router';
import { msg, type MessageKey } from '../../../../i18n/messages.ts';
import { useLanguage } from '../../../../i18n/language.tsx';
import { Button } from '../../../../ui/actions/button.tsx';
import { ChoiceCard } from '../../../../ui/fields/choice-card.tsx';
import { PinIcon } from '../../../../ui/icons/navigation.tsx';
import { DefinitionTable } from '../../../../ui/layout/definition-table.tsx';
import { Sheet } from '../../../../ui/overlays/sheet.tsx';
import { standaloneLinkStyles, textLinkStyles } from '../../../../ui/actions/link-styles.ts';
import { useKeptFocus } from '../../../../ui/use-kept-focus.ts';
import { links } from '../../../../shared/links.ts';
import { preloadRoute } from '../draft/load-route.ts';
import { useSessionUser } from '../../../../browser/session-user.ts';
import { formatRate } from '../../../catalogue/pages/format-rate.ts';
import { AREAS, areaNames, type Area } from '../../../catalogue/contract.ts';
import type { Service } from '../../../catalogue/rules.ts';
import { orderMessages } from '../../contract.ts';
import { choicesOf } from '../../choices-contract.ts';
import { CART_STAGE, calculateRates, missingParts, cartActions, proceedAction, type CartStage, type Draft } from '../draft/cart-state.ts';
import { changeDraft, currentDraft, useDraft, type KeyedDraft } from '../draft/draft.ts';
import { ConnectionNotice, useConnectionWait } from '../draft/connection-wait.tsx';
import { useRefreshDraft } from '../draft/refresh-draft.ts';
import { choiceRows, estimateSentence, formatEstimate, hintOf } from '../draft/order-labels.ts';
import { ChangedArea, DeliveryAddress } from './delivery-address.tsx';
import { PickupDay, PickupSlot } from './pickup-slot.tsx';

const TITLES: Readonly<Record<CartStage, MessageKey>> = {
  [CART_STAGE.area]: msg('Choose your area'),
  [CART_STAGE.options]: msg('Check your options'),
  [CART_STAGE.address]: msg('Pickup and delivery address'),
};

interface CartSheetProps {
  services: readonly Service[] | null;
  open: boolean;
  /** Applies a change of the stage, which Back undoes. */
  onStep(change: (draft: Draft) => Draft): void;
  onClose(): void;
}

/**
 * The bottom sheet of the home page for a picked service (specification sections 2 and 4, "Cart").
 */
export function CartSheet({ services, open, onStep, onClose }: CartSheetProps) {
  const { t, translateData } = useLanguage();
  const draft = useDraft();
  useRefreshDraft(services, draft.service?.programid);
  const shown = useLastOpen(draft);
  const userid = useSessionUser()?.userid ?? null;
  const navigate = useNavigate();
  /** The key of the draft for which Proceed showed missing parts. */
  const [rejectedKey, setRejectedKey] = useState<string>();
  const [changedArea, setChangedArea] = useState<Area | null>(null);

  const guestForm = useRef<HTMLFormElement>(null);
  const connection = useConnectionWait(draft.key, () => void navigate(links.confirm()));
  const actions = useKeptFocus();
  const isLastStage = open && draft.stage === CART_STAGE.address;
  useEffect(() => {
    if (isLastStage) preloadRoute('confirm');
  }, [isLastStage]);

  const proceed = () => {
    // Saves the open form of a guest, or shows its first error.
    guestForm.current?.requestSubmit();
    const current = currentDraft();
    switch (proceedAction(current, userid)) {
      case 'disabled':
        return;
      case 'next-stage':
        return onStep(cartActions.proceed);
      case 'show-missing-parts':
        return setRejectedKey(current.key);
      case 'place-order':
        // A guest's address in another area has changed the rate: the customer sees it first.
        if (current.area !== shown.area) return;
        return connection.whenOnline(current.key);
    }
  };
  return (
    <Sheet
      open={open}
      onClose={onClose}
      hasOwnEntries
      title={translateData(shown.service?.name ?? '')}
      footer={
        <div ref={actions} tabIndex={-1}>
          {connection.status === 'waiting' || connection.status === 'failed' ? (
            <ConnectionNotice status={connection.status} onCancel={connection.cancel} onRetry={proceed} />
          ) : (
            <>
              <p role="status" className="text-sm font-medium text-accent-ink not-empty:mb-3">
                <ChangedArea draft={shown} area={changedArea} />
              </p>
              <Footer draft={shown} userid={userid} pending={connection.status === 'loading'} onProceed={proceed} />
            </>
          )}
        </div>
      }
    >
      <CartHeader key={shown.stage} draft={shown} title={t(TITLES[shown.stage])} onChangeArea={() => onStep(cartActions.change)} />
      {shown.stage === CART_STAGE.area && <AreaCards draft={shown} />}
      {shown.stage === CART_STAGE.options && <CartOptions draft={shown} />}
      {shown.stage === CART_STAGE.address && (
        <CartAddress
          draft={shown}
          userid={userid}
          refused={rejectedKey === shown.key}
          guestForm={guestForm}
          onAreaChange={setChangedArea}
        />
      )}
      {shown.stage !== CART_STAGE.area && (
        <Link to={links.stages()} className={`${standaloneLinkStyles} mt-2`}>
          {t('Review details')}
        </Link>
      )}
    </Sheet>
  );
}

/** Returns the last draft with a service, so that the sheet retains its content while it closes. */
function useLastOpen(draft: KeyedDraft): KeyedDraft {
  const [last, setLast] = useState(draft);
  if (draft.service && draft !== last) setLast(draft);
  return draft.service ? draft : last;
}

/** The last stage states what Proceed does, and about how much the order will cost. */
function Footer({ draft, userid, pending, onProceed }: { draft: Draft; userid: string | null; pending: boolean; onProceed(): void }) {
  const language = useLanguage();
  const { t } = language;
  const rates = calculateRates(draft);
  const estimate = estimateSentence(language, draft);
  return (
    <div className="space-y-3">
      {draft.stage === CART_STAGE.address && estimate && (
        <p className="text-sm text-ink-soft">
          <strong className="font-semibold text-ink">
            {userid === null
              ? t('Proceed verifies your mobile number by SMS and then places your order.')
              : t('Proceed places your order.')}
          </strong>{' '}
          {estimate}
        </p>
      )}
      <div className="flex flex-wrap items-center gap-4 max-[23rem]:gap-3">
        {rates && draft.service && (
          <p className="min-w-[min(8rem,100%)] flex-1 text-sm text-ink-soft">
            <span className="block text-lg leading-6 font-bold text-ink tabular-nums max-[23rem]:text-base">
              {formatRate(language, rates.orderRatePaise, draft.service.unit)}
            </span>
            {rates.offer && (
              <>
                <span className="sr-only">{t('instead of')} </span>
                <s>{formatRate(language, rates.ratePaise, draft.service.unit)}</s>{' '}
                <span className="font-semibold text-good">{t('{percent}% off', { percent: rates.offer.percent })}</span>
                <br />
              </>
            )}
            {draft.expectedLoad && draft.stage !== CART_STAGE.address
              ? t('about {amount}', { amount: formatEstimate(language, draft) ?? '' })
              : t('Weighed at pickup')}
          </p>
        )}
        <div className="flex-1 max-[23rem]:flex-none">
          <Button variant="primary" wide pending={pending} disabled={proceedAction(draft, userid) === 'disabled'} onClick={onProceed}>
            {t('Proceed')}
          </Button>
        </div>
      </div>
    </div>
  );
}

const STAGE_COUNT = Object.keys(CART_STAGE).length;

/**
 * Shows the progress and the chosen area. Focuses the title when it mounts, so that screen readers
 * announce it. The caller sets `key` to the stage, so that each stage mounts a new header.
 */
function CartHeader({ draft: { stage, area }, title, onChangeArea }: { draft: Draft; title: string; onChangeArea(): void }) {
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
        <p className="flex flex-wrap items-center gap-2 text-sm">
          <span className="text-accent-ink">
            <PinIcon small />
          </span>
          <span className="font-medium">{translateData(areaNames[area])}</span>
          <button type="button" className={`${textLinkStyles} -my-2 min-h-11 px-1`} onClick={onChangeArea}>
            {t('change')}
          </button>
        </p>
      )}
    </div>
  );
}

/** Stage 0: the areas, each with the rate of the picked service. */
function AreaCards({ draft: { area: chosen, service } }: { draft: Draft }) {
  const language = useLanguage();
  const name = useId();
  return (
    <fieldset className="space-y-3">
      <legend className="sr-only">{language.t('Your area')}</legend>
      {AREAS.map((area) => (
        <ChoiceCard
          key={area}
          name={name}
          value={area}
          title={language.translateData(areaNames[area])}
          aside={service && <span className="text-sm tabular-nums">{formatRate(language, service.rates[area], service.unit)}</span>}
          checked={chosen === area}
          onChoose={() => changeDraft((draft) => cartActions.chooseArea(draft, area))}
        />
      ))}
    </fieldset>
  );
}

/** Stage 1: timeslot, options of the service, and the values that the scale determines later. */
function CartOptions({ draft }: { draft: Draft }) {
  const language = useLanguage();
  const { t } = language;
  return (
    <div className="space-y-4">
      <section className="space-y-2">
        <h4 className="text-sm font-medium">{t('Pickup timeslot')}</h4>
        <PickupSlot draft={draft} />
      </section>
      <DefinitionTable
        rows={[
          ...(draft.service ? choiceRows(language, choicesOf(draft.service.programid)) : []),
          { label: t('Items'), value: t(orderMessages.atPickup) },
          { label: t('Weight (kg)'), value: t(orderMessages.atPickup) },
        ]}
      />
    </div>
  );
}

interface CartAddressProps {
  draft: Draft;
  /** Null for a guest. */
  userid: string | null;
  /** The customer pressed Proceed while parts were missing. */
  refused: boolean;
  guestForm: Ref<HTMLFormElement>;
  onAreaChange(area: Area | null): void;
}

/**
 * Stage 2: the address. The hints about missing parts become an alert after Proceed was pressed.
 */
function CartAddress({ draft, userid, refused, guestForm, onAreaChange }: CartAddressProps) {
  const { t } = useLanguage();
  const missing = missingParts(draft, userid);
  return (
    <div className="space-y-4">
      {missing.includes('slot') ? <PickupSlot draft={draft} /> : <PickupDay draft={draft} />}
      <DeliveryAddress draft={draft} guestForm={{ form: guestForm, hasSaveButton: false }} onAreaChange={onAreaChange} />
      <div role={refused ? 'alert' : undefined} className={`text-sm font-medium ${refused ? 'text-bad-ink' : 'text-ink-soft'}`}>
        {missing.map((part) => (
          <p key={part}>{t(hintOf(part, userid))}</p>
        ))}
      </div>
    </div>
  );
}
