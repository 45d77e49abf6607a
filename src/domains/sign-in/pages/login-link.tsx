import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { links } from '../../../browser/links.ts';
import { useLoginOpener } from './host.ts';

interface LoginLinkProps {
  /** Its class, from ui. */
  className: string;
  /** What brings the customer back after the log-in. */
  returnState?: unknown;
  children: ReactNode;
}

/** Leads to the log-in page, unless an app around the page opens its own. */
export function LoginLink({ className, returnState, children }: LoginLinkProps) {
  const { state, askHost } = useLoginOpener(returnState);
  return (
    <Link to={links.login()} state={state} className={className} onClick={(event) => askHost() && event.preventDefault()}>
      {children}
    </Link>
  );
}
