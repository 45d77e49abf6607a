import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { ToastOutlet } from './ui/feedback/toast-outlet.tsx';
import { ConsentLine } from './domains/analytics/pages/consent-line.tsx';
import { lazyAlertProblem } from './domains/error-reports/pages/lazy-problem.ts';
import { useEmbedding } from './shared/embedding.ts';
import { useFocusOnNavigation } from './browser/focus.ts';
import { LanguageSection } from './site/language-choice.tsx';
import { links } from './shared/links.ts';
import { MAIN_ID, SiteLayout } from './site/site-layout.tsx';

const logOut = async () => (await import('./domains/accounts/pages/log-out.ts')).logOut();

/**
 * The site's layout, connected to log-out and analytics consent. Inside the native app it renders
 * only the language choice and toasts. It is not in site-route.tsx, because a route component gets
 * no children.
 */
export function SiteChrome({ children }: { children: ReactNode }) {
  const navigate = useNavigate();
  const embedding = useEmbedding();
  const handleLogout = () => {
    logOut().then(
      () => navigate(links.home()),
      (error: unknown) => lazyAlertProblem(error, { doing: 'logging out' }),
    );
  };
  if (embedding) return <EmbeddedLayout>{children}</EmbeddedLayout>;
  return (
    <SiteLayout onLogout={handleLogout} footerEnd={<ConsentLine />}>
      {children}
    </SiteLayout>
  );
}

function EmbeddedLayout({ children }: { children: ReactNode }) {
  useFocusOnNavigation(MAIN_ID);
  return (
    <>
      {children}
      <LanguageSection />
      <ToastOutlet />
    </>
  );
}
