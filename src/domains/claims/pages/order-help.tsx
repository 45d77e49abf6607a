import { Link } from 'react-router';
import { useLanguage } from '../../../i18n/language.tsx';
import { links } from '../../../shared/links.ts';
import { useSiteConfig } from '../../../shared/site-config.ts';
import { buttonStyles } from '../../../ui/actions/button-styles.ts';
import { standaloneLinkStyles } from '../../../ui/actions/link-styles.ts';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { ContactLinks } from '../../orders/pages/following/contact-links.tsx';
import type { OrderContext } from '../../orders/pages/following/order-view.tsx';
import type { Claim } from '../contract.ts';
import { ReversedCredit } from './reversed-credit.tsx';
import { claimKindNames, claimStatusText } from './claim-texts.ts';
import { useClaims } from './use-claims.ts';

/** A call, WhatsApp with the order number, a claim, and the claims of the order. */
export function OrderHelp({ order, userid }: OrderContext) {
  const { t } = useLanguage();
  const { orderid } = order;
  return (
    <Card as="section">
      <h2 className="font-semibold">{t('Help with this order')}</h2>
      {/* Screen readers announce an answer. */}
      <div aria-live="polite">
        <ClaimList order={order} userid={userid} />
      </div>
      <div className="mt-4 flex flex-wrap gap-3">
        <ContactLinks orderid={orderid} />
        <Link to={links.claims(orderid)} className={buttonStyles('secondary', 'small', true)}>
          {t('Report a problem')}
        </Link>
      </div>
      <Link to={links.promise()} className={`${standaloneLinkStyles} mt-2`}>
        {t('Our promise')}
      </Link>
    </Card>
  );
}

/**
 * The claims of the order with their deadlines and the last answer of the laundry. Empty while it
 * loads and after an error.
 */
function ClaimList({ order: { orderid, version }, userid }: OrderContext) {
  const language = useLanguage();
  const query = useClaims(userid, orderid, version);
  const { brand } = useSiteConfig();
  if (query.status !== 'success' || !query.data?.length) return null;
  return (
    <ul className="mt-3 space-y-3">
      {query.data.map((claim) => (
        <li key={claim.claimid}>
          <div className="flex flex-wrap items-center justify-between gap-2">
            <Link to={links.claims(orderid)} className={standaloneLinkStyles}>
              {language.t(claimKindNames[claim.kind])}
            </Link>
            <Badge tone={claim.status === 'open' ? 'warn' : 'good'}>{claimStatusText(language, claim)}</Badge>
          </div>
          <LastAnswer claim={claim} from={brand.name} />
          <ReversedCredit claim={claim} />
        </li>
      ))}
    </ul>
  );
}

function LastAnswer({ claim: { messages }, from }: { claim: Claim; from: string }) {
  const answer = messages.findLast(({ author }) => author === 'staff');
  if (!answer) return null;
  return (
    <p className="rounded-field bg-accent-soft p-3 text-sm">
      <span className="block font-semibold">{from}</span>
      <span className="wrap-anywhere whitespace-pre-line">{answer.message}</span>
    </p>
  );
}
