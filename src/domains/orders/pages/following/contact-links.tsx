import type { ReactNode } from 'react';
import { useLanguage } from '../../../../i18n/language.tsx';
import { telephoneUrl } from '../../../../shared/brand.ts';
import { useSiteConfig } from '../../../../shared/site-config.ts';
import { buttonStyles } from '../../../../ui/actions/button-styles.ts';
import { WhatsappLogo } from '../../../../ui/art/logos.tsx';
import { PhoneIcon } from '../../../../ui/icons/contact.tsx';

/** A call, and WhatsApp with the number of the order. */
export function ContactLinks({ orderid }: { orderid: string }) {
  const { t } = useLanguage();
  const { name, mobile, social } = useSiteConfig().brand;
  const message = t('Hello {brand}, this is about my order {orderid}:', { brand: name, orderid });
  return (
    <>
      <ContactLink href={telephoneUrl(mobile)} icon={<PhoneIcon small />}>
        {t('Call us')}
        {/* A computer makes no calls: the number is read. */}
        <span className="hidden font-normal tabular-nums sm:inline">{mobile}</span>
      </ContactLink>
      {social.chatNumber && (
        <ContactLink href={`https://wa.me/${social.chatNumber}?text=${encodeURIComponent(`${message} `)}`} icon={<WhatsappLogo />}>
          {t('WhatsApp')}
        </ContactLink>
      )}
    </>
  );
}

const ContactLink = ({ href, icon, children }: { href: string; icon: ReactNode; children: ReactNode }) => (
  <a href={href} className={`${buttonStyles('secondary', 'small')} flex-1 whitespace-nowrap`}>
    {icon}
    {children}
  </a>
);
