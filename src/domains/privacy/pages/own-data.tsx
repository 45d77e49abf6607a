import { useLocation } from 'react-router';
import { msg } from '../../../i18n/messages.ts';
import { links } from '../../../shared/links.ts';
import { unindexedPage } from '../../../site/page-meta.tsx';
import { DataCopyPage } from './data-copy.tsx';
import { DeleteAccountPage } from './delete-account.tsx';

export const handle = unindexedPage(msg('Your data'));

/** One module for both routes: home loads the list of all modules (test/e2e/budget.spec.ts). */
export default function OwnDataPage() {
  const { pathname } = useLocation();
  return pathname.startsWith(links.deleteAccount()) ? <DeleteAccountPage /> : <DataCopyPage />;
}
