/** The layout of every page: skip link, app bar, footer and toasts. */
import { msg, type MessageKey } from '../i18n/messages.ts';
import { useLanguage } from '../i18n/language.tsx';
import { LanguageList, OtherLanguage } from './language-choice.tsx';
import { Suspense, type ReactNode } from 'react';
import { Link, useLocation } from 'react-router';
import { AppBar, brandStyles, navLinkStyles } from '../ui/layout/app-bar.tsx';
import { FacebookLogo, InstagramLogo, WhatsappLogo } from '../ui/art/logos.tsx';
import { buttonStyles } from '../ui/actions/button-styles.ts';
import { Footer, footerLinkStyles } from '../ui/layout/footer.tsx';
import { ChatIcon, GiftIcon, HomeIcon, StarIcon } from '../ui/icons/navigation.tsx';
import { BasketIcon, WasherIcon } from '../ui/icons/order.tsx';
import { SkipLink } from '../ui/layout/skip-link.tsx';
import { ToastOutlet } from '../ui/feedback/toast-outlet.tsx';
import type { Brand as BrandConfig } from '../shared/brand.ts';
import { useFocusOnNavigation } from '../browser/focus.ts';
import { links } from '../shared/links.ts';
import { NavigationLink } from './navigation-link.tsx';
import { lazyComponent } from '../browser/lazy-component.ts';
import { useKnownBrowser, useSession } from '../browser/session-user.ts';
import { useSiteConfig } from '../shared/site-config.ts';

export const MAIN_ID = 'main';

interface NavigationItem {
  label: MessageKey;
  to: string;
  icon: ReactNode;
  /** Shown in browsers of customers and guests. */
  knownOnly?: boolean;
}

const NAVIGATION: readonly NavigationItem[] = [
  { label: msg('Home'), to: links.homeByName(), icon: <HomeIcon /> },
  { label: msg('Orders'), to: links.orders(), icon: <BasketIcon />, knownOnly: true },
  { label: msg('Reviews'), to: links.reviews(), icon: <StarIcon /> },
  { label: msg('Refer'), to: links.refer(), icon: <GiftIcon /> },
  { label: msg('Contact'), to: links.contact(), icon: <ChatIcon /> },
];

/** The pages of an order in preparation. They have no footer, which would lead away from it. */
const CHECKOUT: ReadonlySet<string> = new Set([links.stages(), links.overview(), links.confirm()]);

/** Lazy, because pages without a session do not need it. */
const AccountMenu = lazyComponent(async () => (await import('./account-menu.tsx')).AccountMenu);

interface SiteLayoutProps {
  onLogout(): void;
  /** The last element of the footer. */
  footerEnd: ReactNode;
  children: ReactNode;
}

export function SiteLayout({ onLogout, footerEnd, children }: SiteLayoutProps) {
  const { t } = useLanguage();
  const isCheckout = CHECKOUT.has(useLocation().pathname);
  useFocusOnNavigation(MAIN_ID);
  return (
    <>
      <SkipLink to={MAIN_ID} />
      <AppBar
        brand={<Brand />}
        nav={<NavigationItems />}
        account={
          <>
            <OtherLanguage />
            <Account onLogout={onLogout} />
          </>
        }
      />
      <p role="status" className="offline-note">
        {t('No internet connection')}
      </p>
      <noscript>
        <p className="mx-auto max-w-6xl px-4 pt-4 font-semibold sm:px-6">
          {t('Orders and your account need JavaScript: please switch it on in your browser.')}
        </p>
      </noscript>
      {children}
      {!isCheckout && <SiteFooter end={footerEnd} />}
      <ToastOutlet />
    </>
  );
}

/** An app bar with only the logo (specification section 2, "Payment result page"). */
export const BrandBar = () => <AppBar brand={<Brand />} />;

function Brand() {
  const { brand } = useSiteConfig();
  return (
    <Link to={links.home()} className={brandStyles}>
      <WasherIcon />
      {brand.name}
    </Link>
  );
}

function NavigationItems() {
  const { t } = useLanguage();
  const known = useKnownBrowser();
  return NAVIGATION.map(({ label, to, icon, knownOnly }) => (
    <li key={to} {...(knownOnly && { className: 'known-only', 'data-known': known })}>
      <NavigationLink to={to} className={navLinkStyles}>
        {icon}
        <span>{t(label)}</span>
      </NavigationLink>
    </li>
  ));
}

/**
 * The document of the server always contains the log-in link, and the browser replaces it with the
 * menu of the customer. app.css hides the link if the cookie `signed_in` exists.
 */
function Account({ onLogout }: { onLogout(): void }) {
  const { t } = useLanguage();
  const session = useSession();
  if (typeof session !== 'object') {
    return (
      <Link to={links.login()} className={`${buttonStyles('secondary', 'small')} login-link`} data-session={session}>
        {t('Login/Signup')}
      </Link>
    );
  }
  return (
    <Suspense>
      <AccountMenu name={session.name} onLogout={onLogout} />
    </Suspense>
  );
}

function SocialLinks({ network, photos, chatNumber }: BrandConfig['social']) {
  const { t } = useLanguage();
  return (
    <div className="flex flex-wrap gap-x-4 lg:block">
      {network && (
        <a href={network} className={footerLinkStyles}>
          <FacebookLogo />
          <span className="max-sm:sr-only">{t('Facebook')}</span>
        </a>
      )}
      {photos && (
        <a href={photos} className={footerLinkStyles}>
          <InstagramLogo />
          <span className="max-sm:sr-only">{t('Instagram')}</span>
        </a>
      )}
      {chatNumber && (
        <a href={`https://wa.me/${chatNumber}`} className={footerLinkStyles}>
          <WhatsappLogo />
          <span className="max-sm:sr-only">{t('WhatsApp')}</span>
        </a>
      )}
    </div>
  );
}

function SiteFooter({ end }: { end: ReactNode }) {
  const { t } = useLanguage();
  const { brand, demo } = useSiteConfig();
  return (
    <Footer
      columns={[
        {
          title: t('Help'),
          content: (
            <>
              <a href={`mailto:${brand.email}`} className={footerLinkStyles}>
                {brand.email}
              </a>
              <Link to={links.promise()} className={footerLinkStyles}>
                {t('Our promise')}
              </Link>
              <Link to={links.privacy()} className={footerLinkStyles}>
                {t('Privacy policy')}
              </Link>
            </>
          ),
        },
        ...(Object.keys(brand.social).length > 0 ? [{ title: t('Follow us'), content: <SocialLinks {...brand.social} /> }] : []),
        {
          title: t('Where we work'),
          content: <p className="text-sm text-ink-soft">{t('Sector-1, Manesar and Vatika India Next, Gurugram, Haryana 122052')}</p>,
        },
        {
          title: t('Language'),
          content: (
            <div className="flex flex-wrap gap-x-4 lg:block">
              <LanguageList />
            </div>
          ),
        },
      ]}
      small={
        <>
          <p>{t('Powered by {provider}', { provider: brand.provider })}</p>
          {demo && (
            <p className="mt-1">
              {t('This is a demonstration: orders are not collected, and messages are not sent but shown in the outbox.')}
            </p>
          )}
          {end}
        </>
      }
    />
  );
}
