import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { links } from '../../../shared/links.ts';
import { useOpenLogin } from './native-app.ts';

interface LoginLinkProps {
  className: string;
  /** The history state for the log-in page, usually a `ReturnState`. */
  returnState?: unknown;
  children: ReactNode;
}

/** A link to the log-in page. Inside the native app it opens the log-in of the app. */
export function LoginLink({ className, returnState, children }: LoginLinkProps) {
  const { state, openInApp } = useOpenLogin(returnState);
  return (
    <Link to={links.login()} state={state} className={className} onClick={(event) => openInApp() && event.preventDefault()}>
      {children}
    </Link>
  );
}
