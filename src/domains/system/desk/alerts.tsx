/** Faults that keep customers from ordering, from their codes or their messages, on Today. */
import { useEffect, useEffectEvent } from 'react';
import { CallRefused } from '../../../contract/call-failures.ts';
import { useQuery } from '../../../browser/use-query.ts';
import { useLanguage } from '../../../i18n/language.tsx';
import { staffLinks } from '../../../shared/staff-links.ts';
import { LinkNotice } from '../../staff/desk/link-notice.tsx';
import { areaNames } from '../../catalogue/contract.ts';
import { reportProblem } from '../../error-reports/pages/problem.ts';
import { mayCall } from '../../staff/desk/contract.ts';
import { staffRead, useMe } from '../../staff/desk/session.ts';
import { getAlerts, type Alerts } from './contract.ts';
import { PROBLEMS } from './system-texts.ts';

const POLL_MS = 60_000;

/** Renders nothing while everything works, and for a role that may not read it. */
export function AlertNotices() {
  const { role } = useMe();
  return mayCall(role, 'staff/alerts') ? <Loaded /> : null;
}

function Loaded() {
  const query = useQuery<Alerts>({
    queryKey: [],
    queryFn: ({ signal }) => staffRead(getAlerts, {}, { signal }),
    // Today itself shows that the connection is lost.
    onError(error) {
      if (!(error instanceof CallRefused)) reportProblem(error, { doing: 'loading the alerts' });
    },
  });
  const poll = useEffectEvent(() => {
    if (document.visibilityState === 'visible') void query.refetch();
  });
  useEffect(() => {
    const timer = setInterval(() => poll(), POLL_MS);
    return () => clearInterval(timer);
  }, []);
  return query.status === 'success' ? <Notices {...query.data} /> : null;
}

function Notices({ problems, offers_services: offersServices, full_areas: fullAreas }: Alerts) {
  const { t, translateData } = useLanguage();
  const { role } = useMe();
  return (
    <>
      {!offersServices && <LinkNotice tone="bad" to={staffLinks.catalogue()} text={t('Customers cannot order: no service has a price')} />}
      {fullAreas.map((area) => (
        <LinkNotice
          key={area}
          tone="bad"
          to={staffLinks.evenings()}
          text={t('Customers in {area} cannot order: no evening is free', { area: translateData(areaNames[area]) })}
        />
      ))}
      {problems.map((problem) => (
        <LinkNotice
          key={problem}
          tone={PROBLEMS[problem].tone}
          to={mayCall(role, 'staff/system') ? staffLinks.system() : null}
          text={t(PROBLEMS[problem].title)}
        />
      ))}
    </>
  );
}
