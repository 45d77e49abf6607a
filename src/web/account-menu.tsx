/** The customer's menu in the app bar. A link appears here with its page. */
import { Menu, menuItemLook } from '../ui/menu.tsx';
import { links } from './links.ts';
import { PlaceLink } from './place-link.tsx';

const ACCOUNT_LINKS = [
  { label: 'Profile', to: links.profile() },
  { label: 'Orders', to: links.orders() },
  { label: 'Wallet', to: links.wallet() },
  { label: 'Addresses', to: links.addresses() },
];

export function AccountMenu({ name, onLogout }: { name: string; onLogout(): void }) {
  return (
    <Menu label={`Hi, ${name}`}>
      {ACCOUNT_LINKS.map(({ label, to }) => (
        <PlaceLink key={to} to={to} className={menuItemLook}>
          {label}
        </PlaceLink>
      ))}
      <button type="button" className={menuItemLook} onClick={onLogout}>
        Logout
      </button>
    </Menu>
  );
}
