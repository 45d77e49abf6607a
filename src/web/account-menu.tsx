/** The customer's menu in the app bar. A link appears here with its page. */
import { NavLink } from 'react-router';
import { Menu, menuItemLook } from '../ui/menu.tsx';
import { links } from './links.ts';

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
        <NavLink key={to} to={to} className={menuItemLook}>
          {label}
        </NavLink>
      ))}
      <button type="button" className={menuItemLook} onClick={onLogout}>
        Logout
      </button>
    </Menu>
  );
}
