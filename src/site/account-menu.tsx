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

export function AccountMenu({ name, onLogout }: { name: string; onLogout(): void }) {
  const { t } = useLanguage();
  return (
    <Menu label={t('Hi, {name}', { name })}>
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
