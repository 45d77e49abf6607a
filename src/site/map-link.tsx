import { Link, useLocation, type LinkProps } from 'react-router';
import { links } from '../browser/links.ts';

/** A link that says when it leads to the page that is shown. Home has two addresses. */
export function PlaceLink(props: LinkProps & { to: string }) {
  const { pathname } = useLocation();
  const shown = pathname === links.home() ? links.homeByName() : pathname;
  return <Link {...props} aria-current={props.to === shown ? 'page' : undefined} />;
}
