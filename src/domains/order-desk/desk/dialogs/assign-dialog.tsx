import { useState, type ReactNode } from 'react';
import { useQuery } from '../../../../browser/use-query.ts';
import { useLanguage } from '../../../../i18n/language.tsx';
import { msg, type Message } from '../../../../i18n/messages.ts';
import { FormError } from '../../../../ui/feedback/form-error.tsx';
import { staffRead } from '../../../staff/desk/session.ts';
import { showProblem } from '../../../staff/desk/show-problem.ts';
import { ChoiceDialog } from '../../../staff/desk/choice-dialog.tsx';
import { type DeskOrder } from '../contract.ts';
import { assign, listRiders } from '../riders-contract.ts';
import type { SendChange } from '../use-change.ts';

interface AssignDialogProps {
  order: DeskOrder;
  /** The change of the order since the dialog was opened. */
  notice: ReactNode;
  pending: boolean;
  change: SendChange;
  onClose(): void;
}

/** Asks for the rider of an order. */
export function AssignDialog({ order, notice, pending, change, onClose }: AssignDialogProps) {
  const { t, formatMessage } = useLanguage();
  const given = order.rider?.personid ?? '';
  const [opened] = useState(given);
  const [rider, setRider] = useState(given);
  const [refusal, setRefusal] = useState<Message | null>(null);
  const { orderid, version } = order;
  const people = useQuery({
    queryKey: [],
    queryFn: ({ signal }) => staffRead(listRiders, {}, { signal }),
    onError: (error) => showProblem(error, 'listing the riders'),
  });
  const listed = people.status === 'success' ? people.data : [];
  return (
    <ChoiceDialog
      open
      title={t('Rider')}
      label={t('Who goes?')}
      value={rider}
      options={[{ value: '', label: t('Nobody yet') }, ...listed.map(({ personid, name }) => ({ value: personid, label: name }))]}
      pending={pending}
      onChoose={(value) => {
        setRider(value);
        setRefusal(null);
      }}
      onSubmit={() =>
        change({
          call: assign,
          body: { orderid, version, rider: rider || null },
          live: ['version'],
          done: msg('The rider is changed'),
          onRefusal: setRefusal,
        })
      }
      onClose={onClose}
    >
      {notice}
      {given !== opened && <p className="text-sm">{t('Rider now: {name}', { name: order.rider?.name ?? t('Nobody yet') })}</p>}
      <FormError text={refusal && formatMessage(refusal)} />
    </ChoiceDialog>
  );
}
