import type { ReactNode } from 'react';
import { useLanguage } from '../../../../i18n/language.tsx';
import { useSiteConfig } from '../../../../shared/site-config.ts';
import { buttonStyles } from '../../../../ui/actions/button-styles.ts';
import { WhatsappSign } from '../../../../ui/art/signs.tsx';
import { PhoneIcon } from '../../../../ui/icons/contact.tsx';

/** A call, and WhatsApp with the number of the order. */
export function ContactLinks({ orderid }: { orderid: string }) {
  const { t } = useLanguage();
  const { name, mobile, social } = useSiteConfig().brand;
  const message = t('Hello {brand}, this is about my order {orderid}:', { brand: name, orderid });
  return (
    <>
      <ContactLink href={`tel:${mobile.replace(/[^+\d]/g, '')}`} icon={<PhoneIcon small />} label={t('Call us')} />
      {social.chatNumber && (
        <ContactLink
          href={`https://wa.me/${social.chatNumber}?text=${encodeURIComponent(`${message} `)}`}
          icon={<WhatsappSign />}
          label={t('WhatsApp')}
        />
      )}
    </>
  );
}

const ContactLink = ({ href, icon, label }: { href: string; icon: ReactNode; label: string }) => (
  <a href={href} className={buttonStyles('secondary', 'small', true)}>
    {icon}
    {label}
  </a>
);
