import { Link, useLocation, type LinkProps } from 'react-router';
import { links } from '../shared/links.ts';

/**
 * A link with `aria-current` if it leads to the current page. Home has two paths, '/' and '/home'.
 */
export function NavigationLink(props: LinkProps & { to: string }) {
  const { pathname } = useLocation();
  const currentPath = pathname === links.home() ? links.homeByName() : pathname;
  return <Link {...props} aria-current={props.to === currentPath ? 'page' : undefined} />;
}
