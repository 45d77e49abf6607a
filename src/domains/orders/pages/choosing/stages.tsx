import { Fragment, useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { msg, type MessageKey } from '../../../../i18n/messages.ts';
import { useLanguage } from '../../../../i18n/language.tsx';
import { AccordionStep } from '../../../../ui/layout/accordion-step.tsx';
import { BottomBar } from '../../../../ui/layout/bottom-bar.tsx';
import { Button } from '../../../../ui/actions/button.tsx';
import { PageBody } from '../../../../ui/layout/container.tsx';
import { FormError } from '../../../../ui/feedback/form-error.tsx';
import { Split } from '../../../../ui/layout/split.tsx';
import { links } from '../../../../shared/links.ts';
import { preloadRoute } from '../draft/load-route.ts';
import { useSession } from '../../../../browser/session-user.ts';
import { MAIN_ID } from '../../../../site/site-layout.tsx';
import { unindexedPage } from '../../../../site/page-meta.tsx';
import type { Area } from '../../../catalogue/contract.ts';
import type { Route } from './+types/stages.ts';
import { missingParts, cartActions, type MissingPart } from '../draft/cart-state.ts';
import { ChangedArea, DeliveryAddress } from './delivery-address.tsx';
import { changeDraft, currentDraft, useDraft } from '../draft/draft.ts';
import { useRefreshDraft } from '../draft/refresh-draft.ts';
import { hintOf, stepSummaries } from '../draft/order-labels.ts';
import { PickupSlot } from './pickup-slot.tsx';
import { ProgramChoice } from './program-choice.tsx';
import { ListPicture } from '../../../../ui/art/screens/list.tsx';

export const handle = unindexedPage(msg('Your order'));

export { clientLoader, loader } from '../draft/services-loader.ts';

const STEPS: readonly { title: MessageKey; parts: readonly MissingPart[] }[] = [
  { title: msg('Wash program'), parts: ['program', 'area'] },
  { title: msg('Time slot'), parts: ['slot'] },
  { title: msg('Pickup and delivery address'), parts: ['address', 'address-in-area'] },
];

/** Returns the first step that lacks a part, -1 if none does. */
const firstStepOf = (missing: readonly MissingPart[]) => STEPS.findIndex(({ parts }) => parts.some((part) => missing.includes(part)));

/** The order as an accordion (specification sections 2, 4 and 5, /stages). */
export default function Stages({ loaderData: services }: Route.ComponentProps) {
  const language = useLanguage();
  const { t } = language;
  const draft = useDraft();
  useRefreshDraft(services, draft.service?.programid);
  const session = useSession();
  const userid = typeof session === 'object' ? session.userid : null;
  const navigate = useNavigate();
  /** The open step: -1 if all are closed, undefined until session and draft are read. */
  const [open, setOpen] = useState<number>();
  const [confirmed, setConfirmed] = useState(false);
  const [changedArea, setChangedArea] = useState<Area | null>(null);
  const list = useRef<HTMLOListElement>(null);
  const guestForm = useRef<HTMLFormElement>(null);

  // The next steps open also if the connection fails for a moment.
  useEffect(() => {
    preloadRoute('overview');
    preloadRoute('confirm');
  }, []);
  const missing = missingParts(draft, userid);
  if (open === undefined && session !== 'unknown') setOpen(firstStepOf(missing));
  const summaries = stepSummaries(language, draft, userid);
  const confirm = () => {
    // Saves the open form of a guest, or shows its first error.
    guestForm.current?.requestSubmit();
    const left = missingParts(currentDraft(), userid);
    if (left.length === 0) return void navigate(links.overview());
    setConfirmed(true);
    const next = firstStepOf(left);
    setOpen(next);
    // The state is `next` already while the toggle event of a step that was just opened is due.
    const details = list.current?.querySelectorAll('details')[next];
    if (details) details.open = true;
    if (guestForm.current === null || !left.includes('address')) list.current?.querySelectorAll('summary')[next]?.focus();
  };
  const cancel = () => {
    changeDraft(cartActions.close);
    void navigate(links.home());
  };
  const content = [
    <ProgramChoice key="program" draft={draft} services={services} />,
    <PickupSlot key="slot" draft={draft} />,
    <Fragment key="address">
      <DeliveryAddress draft={draft} guestForm={{ form: guestForm, hasSaveButton: true }} onAreaChange={setChangedArea} />
      <p role="status" className="text-sm font-medium text-accent-ink not-empty:mt-4">
        <ChangedArea draft={draft} area={changedArea} />
      </p>
    </Fragment>,
  ];
  return (
    <PageBody id={MAIN_ID} width="wide">
      <Split width="text" picture={<ListPicture />} title={t('Your order')} text={t('Check each step, then confirm.')}>
        <ol ref={list} className="space-y-3">
          {STEPS.map(({ title, parts }, index) => {
            const missingHere = parts.filter((part) => missing.includes(part));
            return (
              <li key={title}>
                <AccordionStep
                  group="order"
                  number={index + 1}
                  title={t(title)}
                  summary={summaries[index]}
                  done={missingHere.length === 0}
                  open={(open ?? 0) === index}
                  onToggle={(isOpen) =>
                    setOpen((before) => (before === undefined ? before : isOpen ? index : before === index ? -1 : before))
                  }
                >
                  {content[index]}
                </AccordionStep>
                {parts.map((part) => (
                  <FormError key={part} text={confirmed && missingHere.includes(part) ? t(hintOf(part, userid)) : null} />
                ))}
              </li>
            );
          })}
        </ol>
        <BottomBar>
          <Button variant="secondary" onClick={cancel}>
            {t('Cancel Order')}
          </Button>
          <Button variant="primary" onClick={confirm}>
            {t('Confirm Order')}
          </Button>
        </BottomBar>
      </Split>
    </PageBody>
  );
}
