import type { ReactNode } from 'react';
import { isRouteErrorResponse, Link } from 'react-router';
import { useLanguage, type Translate } from '../i18n/language.tsx';
import { LostSockArt } from '../ui/art/empty.tsx';
import { buttonStyles } from '../ui/actions/button-styles.ts';
import { PageBody } from '../ui/layout/container.tsx';
import { useEmbedding } from '../shared/embedding.ts';
import { links } from '../shared/links.ts';
import { SCRIPT_FAILED, ScriptFailed } from '../browser/lazy-component.ts';
import { ReloadButton } from './script-failed.tsx';
import { MAIN_ID } from './site-layout.tsx';

const statusOf = (error: unknown) => (isRouteErrorResponse(error) ? error.status : undefined);

/** Statuses of overload, which are not reported as errors. */
const BUSY_STATUSES = [429, 503];

/** Returns whether an error is reported. A 404, overload and a script that did not load are not. */
export const isUnexpectedError = (error: unknown) =>
  !(error instanceof ScriptFailed) && ![404, ...BUSY_STATUSES].includes(statusOf(error) ?? 0);

/** Replaces a page that threw an error. */
export function ErrorScreen({ error }: { error: unknown }) {
  const { t } = useLanguage();
  if (statusOf(error) === 404) return <NotFoundScreen />;
  return (
    <ErrorPage {...errorTexts(error, t)}>
      <ReloadButton />
      <HomeLink className={buttonStyles('secondary', 'small')} />
    </ErrorPage>
  );
}

export function NotFoundScreen() {
  const { t } = useLanguage();
  return (
    <ErrorPage title={t('404 not found')} text={t('There is no page at this address.')}>
      <HomeLink className={buttonStyles('primary')} />
    </ErrorPage>
  );
}

/** Renders nothing inside the native app, which has its own navigation. */
function HomeLink({ className }: { className: string }) {
  const { t } = useLanguage();
  if (useEmbedding()) return null;
  return (
    <Link to={links.home()} className={className}>
      {t('Go to home')}
    </Link>
  );
}

function errorTexts(error: unknown, t: Translate): { title: string; text: string } {
  if (error instanceof ScriptFailed)
    return { title: t(SCRIPT_FAILED), text: t('A part of this page did not arrive. Your order is still here.') };
  const status = statusOf(error);
  if (status && BUSY_STATUSES.includes(status)) return { title: t('We are busy right now'), text: t('Please try again in a moment.') };
  const message = status ?? (error instanceof Error ? error.message : String(error));
  return { title: t('Something went wrong'), text: t("Error - '{message}' posted to developers", { message }) };
}

function ErrorPage({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <PageBody id={MAIN_ID} width="text">
      <div className="flex flex-col items-center py-8 text-center sm:py-16">
        <LostSockArt />
        <h1 className="mt-8 text-title font-bold text-balance">{title}</h1>
        <p className="mt-3 max-w-md text-ink-soft">{text}</p>
        <div className="mt-8 flex flex-wrap justify-center gap-3">{children}</div>
      </div>
    </PageBody>
  );
}
