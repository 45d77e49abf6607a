import { useState } from 'react';
import { useQuery } from '../../../../browser/use-query.ts';
import { useLanguage } from '../../../../i18n/language.tsx';
import { msg } from '../../../../i18n/messages.ts';
import { staffRead } from '../../../staff/desk/session.ts';
import { showProblem } from '../../../staff/desk/show-problem.ts';
import { ChoiceDialog } from '../../../staff/desk/choice-dialog.tsx';
import { type DeskOrder } from '../contract.ts';
import { assign, listRiders } from '../riders-contract.ts';
import type { SendChange } from '../use-change.ts';

interface AssignDialogProps {
  order: DeskOrder;
  pending: boolean;
  change: SendChange;
  onClose(): void;
}

/** Asks for the rider of an order. */
export function AssignDialog({ order, pending, change, onClose }: AssignDialogProps) {
  const { t } = useLanguage();
  const [rider, setRider] = useState(order.rider?.personid ?? '');
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
      onChoose={setRider}
      onSubmit={() =>
        change({
          call: assign,
          body: { orderid, version, rider: rider || null },
          live: ['version'],
          done: msg('The rider is changed'),
        })
      }
      onClose={onClose}
    />
  );
}
