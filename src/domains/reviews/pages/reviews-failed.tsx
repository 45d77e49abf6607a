import { Notice } from '../../../ui/notice.tsx';
import { site } from '../../../web/site.ts';

/** Specification section 8: reviews load failed. */
export function ReviewsFailed() {
  return (
    <Notice tone="bad" live>
      <p>Sorry, we couldn't fetch reviews from server, this is development error, kindly report it on {site().brand.email}</p>
    </Notice>
  );
}
