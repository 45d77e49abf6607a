import { Link } from 'react-router';
import { useLanguage } from '../../../../i18n/language.tsx';
import { staffLinks } from '../../../../shared/staff-links.ts';
import { Card } from '../../../../ui/layout/card.tsx';
import { claimKindNames, claimStatusText } from '../../../claims/pages/claim-texts.ts';
import type { ClaimOfOrder } from '../../../claims/desk/contract.ts';

/** The claims about an order, with links to their threads. */
export function OrderClaims({ claims }: { claims: readonly ClaimOfOrder[] }) {
  const language = useLanguage();
  const { t, rupees } = language;
  return (
    <Card as="section">
      <h2 className="font-semibold">{t('Problems')}</h2>
      <ul className="mt-1 divide-y divide-line">
        {claims.map((claim) => (
          <li key={claim.claimid} className="py-3 text-sm">
            <Link to={staffLinks.claims({ claimid: claim.claimid })} className="font-medium underline">
              {t(claimKindNames[claim.kind])}
            </Link>
            <p className="text-ink-soft">
              {claimStatusText(language, claim)}
              {claim.credited !== null && ` · ${t('{amount} went to the wallet.', { amount: rupees(claim.credited) })}`}
            </p>
          </li>
        ))}
      </ul>
    </Card>
  );
}
