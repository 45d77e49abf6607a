import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { ConsentLine } from './domains/analytics/pages/consent-line.tsx';
import { alertProblem } from './domains/error-reports/pages/problem.ts';
import { links } from './web/links.ts';
import { SiteLayout } from './web/site-layout.tsx';

const logOut = async () => (await import('./domains/accounts/pages/log-out.ts')).logOut();

/** The site's layout with what it needs of the domains. Apart from site.tsx, because a route module's component gets the router's props only, no children. */
export function SiteChrome({ children }: { children: ReactNode }) {
  const navigate = useNavigate();
  const leave = () => {
    logOut().then(
      () => navigate(links.home()),
      (error: unknown) => alertProblem(error, { doing: 'logging out' }),
    );
  };
  return (
    <SiteLayout onLogout={leave} postscript={<ConsentLine />}>
      {children}
    </SiteLayout>
  );
}
