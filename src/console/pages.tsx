/** The screens of the console: path, name and the call without which a screen is hidden. */
import type { ReactNode } from 'react';
import { mayCall, type Role, type StaffPath } from '../domains/staff/desk/contract.ts';
import { msg, type MessageKey } from '../i18n/messages.ts';
import { staffLinks } from '../shared/staff-links.ts';
import { ChatIcon, HomeIcon, PinIcon, ReceiptIcon, UserIcon, WalletIcon } from '../ui/icons/navigation.tsx';
import { BasketIcon, ClockIcon, TagIcon } from '../ui/icons/order.tsx';

export interface ConsolePage {
  readonly to: string;
  readonly label: MessageKey;
  readonly icon: ReactNode;
  readonly call: StaffPath;
}

/** In the order of the navigation. The first `TABS` of a role are the tabs of its phone. */
const PAGES: readonly ConsolePage[] = [
  { to: staffLinks.today(), label: msg('Today'), icon: <HomeIcon />, call: 'staff/me' },
  { to: staffLinks.orders(), label: msg('Board'), icon: <BasketIcon />, call: 'staff/orders' },
  { to: staffLinks.claims(), label: msg('Problems'), icon: <ChatIcon />, call: 'staff/claims' },
  { to: staffLinks.cash(), label: msg('Cash'), icon: <WalletIcon />, call: 'staff/cash' },
  { to: staffLinks.round(), label: msg('Round'), icon: <PinIcon />, call: 'staff/orders' },
  { to: staffLinks.customers(), label: msg('Customers'), icon: <UserIcon />, call: 'staff/customer' },
  { to: staffLinks.reviews(), label: msg('Reviews'), icon: <ChatIcon />, call: 'staff/reviews' },
  { to: staffLinks.evenings(), label: msg('Evenings'), icon: <ClockIcon />, call: 'staff/slots' },
  { to: staffLinks.catalogue(), label: msg('Catalogue'), icon: <TagIcon />, call: 'staff/programs' },
  { to: staffLinks.numbers(), label: msg('Numbers'), icon: <TagIcon />, call: 'staff/report' },
  { to: staffLinks.upi(), label: msg('UPI payments'), icon: <WalletIcon />, call: 'staff/upipayments' },
  { to: staffLinks.people(), label: msg('People'), icon: <UserIcon />, call: 'staff/people' },
  { to: staffLinks.audit(), label: msg('Audit'), icon: <ReceiptIcon />, call: 'staff/audit' },
  { to: staffLinks.system(), label: msg('System'), icon: <ClockIcon />, call: 'staff/system' },
];

const TABS = 4;

/** Returns whether the role may open the path. Screens below a screen belong to it. */
export const mayOpen = (role: Role, pathname: string): boolean =>
  PAGES.every(({ to, call }) => !`${pathname}/`.startsWith(`${to}/`) || mayCall(role, call));

/** Returns the screens of a role: the tabs, and the others for the menu. */
export function pagesOf(role: Role): { tabs: readonly ConsolePage[]; others: readonly ConsolePage[] } {
  const pages = PAGES.filter(({ call }) => mayCall(role, call));
  return { tabs: pages.slice(0, TABS), others: pages.slice(TABS) };
}
