/** The menu of the signed-in customer in the app bar. */
import { msg, type MessageKey } from '../i18n/messages.ts';
import { useLanguage } from '../i18n/language.tsx';
import { Menu, menuItemStyles } from '../ui/overlays/menu.tsx';
import { links } from '../shared/links.ts';
import { NavigationLink } from './navigation-link.tsx';

const ACCOUNT_LINKS = [
  { label: msg('Profile'), to: links.profile() },
  { label: msg('Orders'), to: links.orders() },
  { label: msg('Wallet'), to: links.wallet() },
  { label: msg('Addresses'), to: links.addresses() },
] satisfies readonly { label: MessageKey; to: string }[];

/** Shows the first name only: the bar of a phone has no space for more. */
function Greeting({ name }: { name: string }) {
  const { t } = useLanguage();
  const firstName = name.trim().split(/\s/)[0] ?? '';
  return (
    <>
      <span className="sr-only">{t('Hi, {name}', { name })}</span>
      <span aria-hidden="true" className="max-sm:hidden">
        {t('Hi, {name}', { name: firstName })}
      </span>
      <span aria-hidden="true" className="sm:hidden">
        {firstName}
      </span>
    </>
  );
}

export function AccountMenu({ name, onLogout }: { name: string; onLogout(): void }) {
  const { t } = useLanguage();
  return (
    <Menu label={<Greeting name={name} />}>
      {ACCOUNT_LINKS.map(({ label, to }) => (
        <NavigationLink key={to} to={to} className={menuItemStyles}>
          {t(label)}
        </NavigationLink>
      ))}
      <button type="button" className={menuItemStyles} onClick={onLogout}>
        {t('Logout')}
      </button>
    </Menu>
  );
}
