import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { ToastOutlet } from './ui/feedback/toast-outlet.tsx';
import { ConsentLine } from './domains/analytics/pages/consent-line.tsx';
import { alertLater } from './domains/error-reports/pages/report-later.ts';
import { useEmbedding } from './browser/embedding.ts';
import { useFocusOnNavigation } from './browser/focus.ts';
import { LanguageSection } from './site/language-choice.tsx';
import { links } from './browser/links.ts';
import { MAIN_ID, SiteLayout } from './site/site-layout.tsx';

const logOut = async () => (await import('./domains/accounts/pages/log-out.ts')).logOut();

/** The site's layout with what it needs of the domains; inside the native app only what a page itself cannot show. Apart from site-route.tsx, because a route module's component gets the router's props only, no children. */
export function SiteChrome({ children }: { children: ReactNode }) {
  const navigate = useNavigate();
  const embedding = useEmbedding();
  const leave = () => {
    logOut().then(
      () => navigate(links.home()),
      (error: unknown) => alertLater(error, { doing: 'logging out' }),
    );
  };
  if (embedding) return <Bare>{children}</Bare>;
  return (
    <SiteLayout onLogout={leave} postscript={<ConsentLine />}>
      {children}
    </SiteLayout>
  );
}

function Bare({ children }: { children: ReactNode }) {
  useFocusOnNavigation(MAIN_ID);
  return (
    <>
      {children}
      <LanguageSection />
      <ToastOutlet />
    </>
  );
}
