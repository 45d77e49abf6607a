import { createBrowserRouter } from 'react-router';
import { NotFound, ScreenFailed } from './errors.tsx';
import { PublicShell, Shell, Waiting } from './shell.tsx';

/** Every screen is a script of its own, which its first visit loads. */
export const createConsoleRouter = () =>
  createBrowserRouter([
    {
      path: '/staff/set-password',
      Component: PublicShell,
      HydrateFallback: Waiting,
      children: [{ index: true, ErrorBoundary: ScreenFailed, lazy: () => import('../domains/staff/desk/set-password.tsx') }],
    },
    {
      path: '/staff',
      Component: Shell,
      HydrateFallback: Waiting,
      children: [
        {
          ErrorBoundary: ScreenFailed,
          children: [
            { index: true, lazy: () => import('./today.tsx') },
            { path: 'orders', lazy: () => import('../domains/order-desk/desk/lists/board.tsx') },
            { path: 'orders/:orderid', lazy: () => import('../domains/order-desk/desk/order/order.tsx') },
            { path: 'orders/:orderid/labels', lazy: () => import('../domains/order-desk/desk/order/labels.tsx') },
            { path: 'round', lazy: () => import('../domains/round/desk/round.tsx') },
            { path: 'claims', lazy: () => import('../domains/claims/desk/claims.tsx') },
            { path: 'customers', lazy: () => import('../domains/customers/desk/customers.tsx') },
            { path: 'cash', lazy: () => import('../domains/cash/desk/cash.tsx') },
            { path: 'evenings', lazy: () => import('../domains/evenings/desk/evenings.tsx') },
            { path: 'catalogue', lazy: () => import('../domains/catalogue/desk/catalogue.tsx') },
            { path: 'numbers', lazy: () => import('../domains/figures/desk/numbers.tsx') },
            { path: 'upi', lazy: () => import('../domains/order-desk/desk/upi/upi.tsx') },
            { path: 'reviews', lazy: () => import('../domains/reviews/desk/reviews.tsx') },
            { path: 'system', lazy: () => import('../domains/system/desk/system.tsx') },
            { path: 'people', lazy: () => import('../domains/staff/desk/people.tsx') },
            { path: 'audit', lazy: () => import('../domains/system/desk/audit.tsx') },
            { path: 'account', lazy: () => import('../domains/staff/desk/account.tsx') },
            { path: '*', Component: NotFound },
          ],
        },
      ],
    },
  ]);
