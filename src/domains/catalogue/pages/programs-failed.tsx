import { Notice } from '../../../ui/notice.tsx';
import { site } from '../../../web/site.ts';

/** Specification section 8: programs load failed. */
export function ProgramsFailed() {
  return (
    <Notice tone="bad" live>
      <p>Sorry, we couldn't fetch washprograms from server, this is development error, kindly report it on {site().brand.email}</p>
    </Notice>
  );
}
