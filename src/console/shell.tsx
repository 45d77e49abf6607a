/** The parts around every screen of the console: navigation, log-in, menu and toasts. */
import { useEffect, useState, type ReactNode } from 'react';
import { Link, Outlet, useLocation, useNavigation } from 'react-router';
import { useFocusOnNavigation } from '../browser/focus.ts';
import { setOpenClaims, useOpenClaims } from '../domains/claims/desk/open-claims.ts';
import { LoginDialog, LoginScreen } from '../domains/staff/desk/log-in.tsx';
import { ROLE_NAMES } from '../domains/staff/desk/role-names.ts';
import { watchSessionEnd, logOut, startStaffSession, useStaffSession, type StaffSession } from '../domains/staff/desk/session.ts';
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
import { ConfirmDialog } from '../ui/overlays/confirm-dialog.tsx';
import { skipModalEntries } from '../ui/overlays/modal-history.ts';
import { trackPageEntry } from '../ui/overlays/page-entry.ts';
import { Menu, menuItemStyles } from '../ui/overlays/menu.tsx';
import { NotAllowed } from './errors.tsx';
import { mayOpen, pagesOf, type ConsolePage } from './pages.tsx';

/** Every path but that of the one-time link: shows the log-in, or the screen of the path. */
export function Shell() {
  const session = useStaffSession();
  const { pathname } = useLocation();
  useEntryQueue(session);
  useEffect(watchSessionEnd, []);
  switch (session.status) {
    case 'loading':
      return <Waiting />;
    case 'failed':
      return <SessionFailed />;
    case 'logged-out':
      return (
        <Frame>
          <LoginScreen ending={session.ending} />
          <LanguageSection />
        </Frame>
      );
    case 'logged-in':
      return (
        <Frame me={session.me}>
          {mayOpen(session.me.role, pathname) ? <Outlet /> : <NotAllowed />}
          <LoginDialog reason={session.reloginReason} mobile={session.me.mobile} />
        </Frame>
      );
  }
}

/** Sends the entries of the round on every screen. Without a session, deletes the stops. */
function useEntryQueue(session: StaffSession) {
  const { status } = session;
  const mobile = session.status === 'logged-in' ? session.me.mobile : undefined;
  useEffect(() => {
    if (mobile === undefined) {
      if (status === 'logged-out') void loadEntries().then(({ deleteSeenStops }) => deleteSeenStops());
      return;
    }
    let isCurrent = true;
    let stop: (() => void) | undefined;
    void loadEntries().then(({ startSending }) => {
      if (isCurrent) stop = startSending(mobile);
    });
    return () => {
      isCurrent = false;
      stop?.();
    };
  }, [status, mobile]);
}

/** Not part of the first screen. */
const loadEntries = () => import('../domains/round/desk/entries.ts');

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
  const location = useLocation();
  // A navigation back closes an open dialog, as on the site.
  useEffect(trackPageEntry, [location]);
  useEffect(skipModalEntries, []);
  const isLoading = useNavigation().state === 'loading';
  const pages = me && pagesOf(me.role);
  const { leave, question } = useLogOut(me);
  return (
    <>
      <SkipLink to={STAFF_MAIN_ID} />
      <AppBar
        brand={<Brand />}
        nav={pages?.tabs.map((page) => (
          <Tab key={page.to} page={page} />
        ))}
        account={me && <AccountMenu me={me} pages={pages?.others ?? []} onLeave={leave} />}
      />
      <div aria-busy={isLoading}>{children}</div>
      {question}
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
  const openClaims = useOpenClaims();
  return (
    <li>
      <Link to={to} className={navLinkStyles} aria-current={isCurrent ? 'page' : undefined}>
        {icon}
        <span>
          {t(label)}
          {to === staffLinks.claims() && openClaims > 0 && <span className="tabular-nums"> ({openClaims})</span>}
        </span>
      </Link>
    </li>
  );
}

/** True on the page and on the pages below it. Today is the root of the console: only exactly. */
function useIsCurrent(to: string): boolean {
  const { pathname } = useLocation();
  return to === staffLinks.today() ? pathname === to : `${pathname}/`.startsWith(`${to}/`);
}

function AccountMenu({ me, pages, onLeave }: { me: Me; pages: readonly ConsolePage[]; onLeave(): void }) {
  const { t } = useLanguage();
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
      <button type="button" className={menuItemStyles} onClick={onLeave}>
        {t('Logout')}
      </button>
    </Menu>
  );
}

/**
 * Returns `leave`, which logs out, and `question`, the dialog that `leave` opens first if entries
 * of the person are not sent yet.
 */
function useLogOut(me: Me | undefined) {
  const { t, plural } = useLanguage();
  const [unsent, setUnsent] = useState(0);
  const leave = () => {
    setUnsent(0);
    logOut()
      .then(() => setOpenClaims(0))
      .catch((error: unknown) => showProblem(error, 'logging out'));
  };
  const leaveUnlessUnsent = async () => {
    const count = await loadEntries()
      .then(({ countEntries }) => countEntries(me?.mobile))
      // Without the storage there are no entries.
      .catch(() => 0);
    if (count > 0) setUnsent(count);
    else leave();
  };
  const question = (
    <ConfirmDialog
      open={unsent > 0}
      title={t('Log out with unsent entries?')}
      message={plural(
        unsent,
        {
          one: '{count} entry of the round is not sent yet. It stays on this phone until you log in here again.',
          other: '{count} entries of the round are not sent yet. They stay on this phone until you log in here again.',
        },
        { count: unsent },
      )}
      confirmLabel={t('Logout')}
      pending={false}
      error={null}
      onConfirm={leave}
      onCancel={() => setUnsent(0)}
    />
  );
  return { leave: () => void leaveUnlessUnsent(), question };
}

/** Shown until the session and the script of the screen are loaded. */
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
