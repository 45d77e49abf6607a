import { data } from 'react-router';
import { NotFoundScreen } from './error-screen.tsx';
import { notFoundHandle } from './page-meta.tsx';

/** The document of an unknown address has the status 404, so that neither people nor search engines take it for a page. */
export const loader = () => data(null, { status: 404 });
export const clientLoader = () => null;

export const handle = notFoundHandle;

export default function NotFound() {
  return <NotFoundScreen />;
}
