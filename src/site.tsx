import type { ReactNode } from 'react';
import { Outlet, useNavigate } from 'react-router';
import { ConsentLine } from './domains/analytics/pages/consent-line.tsx';
import { alertProblem } from './domains/error-reports/pages/problem.ts';
import { links } from './web/links.ts';
import { SiteLayout } from './web/site-layout.tsx';

const logOut = async () => (await import('./domains/accounts/pages/log-out.ts')).logOut();

/** The site's chrome around its pages. Pages outside it (embedded ones, the payment result) stand beside this in routes.ts. */
export default function Site({ children }: { children?: ReactNode }) {
  const navigate = useNavigate();
  const leave = () => {
    logOut().then(
      () => navigate(links.home()),
      (error: unknown) => alertProblem(error, { doing: 'logging out' }),
    );
  };
  return (
    <SiteLayout onLogout={leave} postscript={<ConsentLine />}>
      {children ?? <Outlet />}
    </SiteLayout>
  );
}
