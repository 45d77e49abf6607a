/** The parts around every screen of the console: navigation, log-in, menu and toasts. */
import type { ReactNode } from 'react';
import { Link, Outlet, useLocation, useNavigation } from 'react-router';
import { useFocusOnNavigation } from '../browser/focus.ts';
import { LoginDialog, LoginScreen } from '../domains/staff/desk/log-in.tsx';
import { ROLE_NAMES } from '../domains/staff/desk/role-names.ts';
import { logOut, startStaffSession, useStaffSession } from '../domains/staff/desk/session.ts';
import { showProblem } from '../domains/staff/desk/show-problem.ts';
import { STAFF_MAIN_ID, StaffPage } from '../domains/staff/desk/staff-page.tsx';
import type { Me } from '../domains/staff/desk/contract.ts';
import { useLanguage } from '../i18n/language.tsx';
import { useSiteConfig } from '../shared/site-config.ts';
import { staffLinks } from '../shared/staff-links.ts';
import { LanguageSection, OtherLanguage } from '../site/language-choice.tsx';
import { LoadingFailed } from '../site/loading-failed.tsx';
import { Spinner } from '../ui/feedback/spinner.tsx';
import { ToastOutlet } from '../ui/feedback/toast-outlet.tsx';
import { WasherIcon } from '../ui/icons/order.tsx';
import { AppBar, brandStyles, navLinkStyles } from '../ui/layout/app-bar.tsx';
import { SkipLink } from '../ui/layout/skip-link.tsx';
import { Menu, menuItemStyles } from '../ui/overlays/menu.tsx';
import { pagesOf, type ConsolePage } from './pages.tsx';

/** Every path but that of the one-time link: shows the log-in, or the screen of the path. */
export function Shell() {
  const session = useStaffSession();
  switch (session.status) {
    case 'loading':
      return <Waiting />;
    case 'failed':
      return <SessionFailed />;
    case 'logged-out':
      return (
        <Frame>
          <LoginScreen />
          <LanguageSection />
        </Frame>
      );
    case 'logged-in':
      return (
        <Frame me={session.me}>
          <Outlet />
          <LoginDialog open={session.asksAgain} mobile={session.me.mobile} />
        </Frame>
      );
  }
}

/** The screens of callers without a session. */
export function PublicShell() {
  return (
    <Frame>
      <Outlet />
      <LanguageSection />
    </Frame>
  );
}

function Frame({ me, children }: { me?: Me; children: ReactNode }) {
  useFocusOnNavigation(STAFF_MAIN_ID);
  const isLoading = useNavigation().state === 'loading';
  const pages = me && pagesOf(me.role);
  return (
    <>
      <SkipLink to={STAFF_MAIN_ID} />
      <AppBar
        brand={<Brand />}
        nav={pages?.tabs.map((page) => (
          <Tab key={page.to} page={page} />
        ))}
        account={me && <AccountMenu me={me} pages={pages?.others ?? []} />}
      />
      <div aria-busy={isLoading}>{children}</div>
      <ToastOutlet />
    </>
  );
}

function Brand() {
  const { brand } = useSiteConfig();
  return (
    <Link to={staffLinks.today()} className={brandStyles}>
      <WasherIcon />
      <span className="max-[22rem]:sr-only">{brand.name}</span>
    </Link>
  );
}

function Tab({ page: { to, label, icon } }: { page: ConsolePage }) {
  const { t } = useLanguage();
  const isCurrent = useIsCurrent(to);
  return (
    <li>
      <Link to={to} className={navLinkStyles} aria-current={isCurrent ? 'page' : undefined}>
        {icon}
        <span>{t(label)}</span>
      </Link>
    </li>
  );
}

/** A screen below another one belongs to it: the order to the board. */
function useIsCurrent(to: string): boolean {
  const { pathname } = useLocation();
  return to === staffLinks.today() ? pathname === to : `${pathname}/`.startsWith(`${to}/`);
}

function AccountMenu({ me, pages }: { me: Me; pages: readonly ConsolePage[] }) {
  const { t } = useLanguage();
  const leave = () => {
    logOut().catch((error: unknown) => showProblem(error, 'logging out'));
  };
  return (
    <Menu label={me.name}>
      <p className="px-3 py-2 text-sm text-ink-soft">{t(ROLE_NAMES[me.role])}</p>
      {pages.map(({ to, label }) => (
        <Link key={to} to={to} className={menuItemStyles}>
          {t(label)}
        </Link>
      ))}
      <Link to={staffLinks.account()} className={menuItemStyles}>
        {t('Your account')}
      </Link>
      <OtherLanguage />
      <button type="button" className={menuItemStyles} onClick={leave}>
        {t('Logout')}
      </button>
    </Menu>
  );
}

/** Until the session and the script of the screen are there. */
export function Waiting() {
  const { t } = useLanguage();
  return (
    <main id={STAFF_MAIN_ID} tabIndex={-1} className="py-24">
      <Spinner label={t('One moment')} />
    </main>
  );
}

function SessionFailed() {
  const { t } = useLanguage();
  return (
    <Frame>
      <StaffPage width="narrow" title={t('Console')}>
        <LoadingFailed
          title={t('We could not reach the server, please check your connection and try again')}
          onRetry={() => void startStaffSession()}
        />
      </StaffPage>
    </Frame>
  );
}
