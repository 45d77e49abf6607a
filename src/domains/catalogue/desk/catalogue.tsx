/** The services with their rates: every role reads them, the owner changes them. */
import { useState } from 'react';
import { useQuery } from '../../../browser/use-query.ts';
import { useLanguage } from '../../../i18n/language.tsx';
import { Button } from '../../../ui/actions/button.tsx';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { showToast } from '../../../ui/feedback/toast.ts';
import { Card } from '../../../ui/layout/card.tsx';
import { DefinitionTable } from '../../../ui/layout/definition-table.tsx';
import { mayCall } from '../../staff/desk/contract.ts';
import { LoadState } from '../../staff/desk/load-state.tsx';
import { staffRead, useMe } from '../../staff/desk/session.ts';
import { showProblem } from '../../staff/desk/show-problem.ts';
import { StaffPage } from '../../staff/desk/staff-page.tsx';
import { AREAS, SERVICE_IDS, areaNames, type ServiceId } from '../contract.ts';
import { catalogueDeskMessages, listPrograms, type DeskProgram } from './contract.ts';
import { ProgramDialog } from './program-dialog.tsx';
import { SERVICE_NAMES, customerRates, rateText } from './rate-texts.ts';

export function Component() {
  const { t } = useLanguage();
  const query = useQuery({
    queryKey: [],
    queryFn: ({ signal }) => staffRead(listPrograms, {}, { signal }),
    onError: (error) => showProblem(error, 'loading the catalogue'),
  });
  const [open, setOpen] = useState<ServiceId>();
  const programs = query.status === 'success' ? query.data : undefined;
  const programOf = (id: ServiceId) => programs?.find(({ programid }) => programid === id);
  return (
    <StaffPage width="text" title={t('Catalogue')} text={t('What customers pay. Orders that are placed keep their price.')}>
      <LoadState
        query={query}
        loading={t('Loading the catalogue')}
        failed={t('The catalogue could not be loaded')}
        shapes={['order', 'order', 'order']}
      />
      {programs && (
        <>
          <CatalogueNotice programs={programs} />
          <ul className="space-y-4">
            {SERVICE_IDS.map((id) => (
              <ProgramCard key={id} id={id} program={programOf(id)} onChange={() => setOpen(id)} />
            ))}
          </ul>
        </>
      )}
      <ProgramDialog
        id={open}
        program={open && programOf(open)}
        onSaved={async () => {
          setOpen(undefined);
          showToast({ theme: 'green', text: catalogueDeskMessages.saved });
          await query.refetch();
        }}
        onConflict={() => void query.refetch()}
        onClose={() => setOpen(undefined)}
      />
    </StaffPage>
  );
}

function CatalogueNotice({ programs }: { programs: readonly DeskProgram[] }) {
  const { t } = useLanguage();
  const mayChange = mayCall(useMe().role, 'staff/setprogram');
  if (programs.length === 0) {
    return (
      <Notice tone="bad" title={t('Customers cannot order yet')}>
        {t('No service has a price. A service with a price is offered at once.')}
      </Notice>
    );
  }
  if (!programs.some((program) => program.is_sample)) return null;
  return (
    <Notice tone="warn" title={t('Some prices are examples')}>
      {mayChange
        ? t('They are not yours yet. Open each one, and save it with your own price.')
        : t('The owner has not set the prices yet.')}
    </Notice>
  );
}

interface ProgramCardProps {
  id: ServiceId;
  /** Undefined: the laundry does not offer the service. */
  program: DeskProgram | undefined;
  onChange(): void;
}

function ProgramCard({ id, program, onChange }: ProgramCardProps) {
  const { t } = useLanguage();
  const mayChange = mayCall(useMe().role, 'staff/setprogram');
  return (
    <Card as="li">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2 className="text-lg font-semibold">{t(SERVICE_NAMES[id])}</h2>
        {program ? <Badge tone="good">{t('Offered')}</Badge> : <Badge tone="plain">{t('Not offered')}</Badge>}
        {program?.is_sample && <Badge tone="warn">{t('Example price')}</Badge>}
      </div>
      {program ? <Rates program={program} /> : <p className="mt-2 text-ink-soft">{t('Customers do not see this service.')}</p>}
      {mayChange && (
        <div className="mt-3">
          <Button variant="secondary" size="small" onClick={onChange}>
            {program ? t('Change the price') : t('Offer it')}
            <span className="sr-only"> {t(SERVICE_NAMES[id])}</span>
          </Button>
        </div>
      )}
    </Card>
  );
}

function Rates({ program }: { program: DeskProgram }) {
  const language = useLanguage();
  const { t, rupees, translateData } = language;
  const rates = customerRates(program);
  const surchargeText = (paise: number) =>
    paise === 0 ? t('without a surcharge') : t('with a surcharge of {amount}', { amount: rupees(paise) });
  return (
    <DefinitionTable
      rows={[
        { label: t('Price'), value: rateText(language, program.rate, program.unit) },
        ...AREAS.map((area) => ({
          label: translateData(areaNames[area]),
          value: (
            <>
              {rateText(language, rates[area], program.unit)}
              <span className="block text-xs font-normal text-ink-soft">{surchargeText(program.surcharges[area])}</span>
            </>
          ),
        })),
      ]}
    />
  );
}
