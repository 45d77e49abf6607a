import { data } from 'react-router';
import { NotFoundScreen } from './error-screen.tsx';
import { notFoundHandle } from './page-meta.tsx';

/** Sends the status 404, so that search engines do not index an unknown address. */
export const loader = () => data(null, { status: 404 });
export const clientLoader = () => null;

export const handle = notFoundHandle;

export default function NotFound() {
  return <NotFoundScreen />;
}
