import { data, Link } from 'react-router';
import { buttonLook } from '../ui/button-look.ts';
import { PageBody } from '../ui/container.tsx';
import { PageHeading } from '../ui/page-heading.tsx';
import { links } from './links.ts';
import { MAIN_ID } from './site-layout.tsx';

/** The document of an unknown address has the status 404, so that neither people nor search engines take it for a page. */
export const loader = () => data(null, { status: 404 });
export const clientLoader = () => null;

export const meta = () => [{ title: '404 not found' }, { name: 'robots', content: 'noindex' }];

export default function NotFound() {
  return (
    <PageBody id={MAIN_ID} width="reading">
      <PageHeading title="404 not found" />
      <p className="text-ink-soft">There is no page at this address.</p>
      <Link to={links.home()} className={buttonLook('primary')}>
        Go to home
      </Link>
    </PageBody>
  );
}
