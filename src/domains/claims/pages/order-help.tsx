import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useLanguage } from '../../../i18n/language.tsx';
import { links } from '../../../shared/links.ts';
import { useSiteConfig } from '../../../shared/site-config.ts';
import { buttonStyles } from '../../../ui/actions/button-styles.ts';
import { standaloneLinkStyles } from '../../../ui/actions/link-styles.ts';
import { WhatsappSign } from '../../../ui/art/signs.tsx';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { PhoneIcon } from '../../../ui/icons/contact.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { claimKindNames, claimStatusText } from './claim-texts.ts';
import { useClaims } from './use-claims.ts';

/** A call, WhatsApp with the order number, a report, and the reports of the order. */
export function OrderHelp({ orderid, userid }: { orderid: string; userid: string | undefined }) {
  const { t } = useLanguage();
  const { name, mobile, social } = useSiteConfig().brand;
  const message = t('Hello {brand}, this is about my order {orderid}:', { brand: name, orderid });
  return (
    <Card as="section">
      <h2 className="font-semibold">{t('Help with this order')}</h2>
      <ClaimList orderid={orderid} userid={userid} />
      <div className="mt-4 grid grid-cols-2 gap-3">
        <HelpLink href={`tel:${mobile.replace(/[^+\d]/g, '')}`} icon={<PhoneIcon small />} label={t('Call us')} />
        <HelpLink
          href={`https://wa.me/${social.chatNumber}?text=${encodeURIComponent(`${message} `)}`}
          icon={<WhatsappSign />}
          label={t('WhatsApp')}
        />
        <Link to={links.problem(orderid)} className={`${buttonStyles('secondary', 'small', true)} col-span-2`}>
          {t('Report a problem')}
        </Link>
      </div>
      <Link to={links.promise()} className={`${standaloneLinkStyles} mt-2`}>
        {t('Our promise')}
      </Link>
    </Card>
  );
}

const HelpLink = ({ href, icon, label }: { href: string; icon: ReactNode; label: string }) => (
  <a href={href} className={buttonStyles('secondary', 'small', true)}>
    {icon}
    {label}
  </a>
);

/** The reports of the order with their deadlines. Empty while it loads and after an error. */
function ClaimList({ orderid, userid }: { orderid: string; userid: string | undefined }) {
  const language = useLanguage();
  const query = useClaims(userid, orderid);
  if (query.status !== 'success' || !query.data?.length) return null;
  return (
    <ul className="mt-3 space-y-3">
      {query.data.map((claim) => (
        <li key={claim.claimid} className="flex flex-wrap items-center justify-between gap-2">
          <Link to={links.problem(orderid)} className={standaloneLinkStyles}>
            {language.t(claimKindNames[claim.kind])}
          </Link>
          <Badge tone={claim.status === 'open' ? 'warn' : 'good'}>{claimStatusText(language, claim)}</Badge>
        </li>
      ))}
    </ul>
  );
}
