import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useLanguage } from '../../../i18n/language.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { PageBody } from '../../../ui/layout/container.tsx';
import { MailIcon, PhoneIcon } from '../../../ui/icons/contact.tsx';
import { WhatsappLogo } from '../../../ui/art/logos.tsx';
import { PinIcon } from '../../../ui/icons/navigation.tsx';
import { Split } from '../../../ui/layout/split.tsx';
import { standaloneLinkStyles } from '../../../ui/actions/link-styles.ts';
import { officeAddress, telephoneUrl } from '../../../shared/brand.ts';
import { links } from '../../../shared/links.ts';
import { useSiteConfig } from '../../../shared/site-config.ts';
import { MAIN_ID } from '../../../site/site-layout.tsx';
import { pageTitle, type PageHandle } from '../../../site/page-meta.tsx';
import { ChatPicture } from '../../../ui/art/screens/chat.tsx';

export const handle: PageHandle = {
  meta: (t, { brand }) => [
    { title: pageTitle(t('Contact'), brand) },
    {
      name: 'description',
      content: t('E-mail, mobile and office address of {brand}, laundry pickup and delivery in Gurugram.', { brand: brand.name }),
    },
  ],
};

export default function Contact() {
  const language = useLanguage();
  const { t } = language;
  const { brand } = useSiteConfig();
  const { email, mobile, social } = brand;
  return (
    <PageBody id={MAIN_ID} width="wide">
      <Split
        width="text"
        picture={<ChatPicture />}
        title={t('Get in touch!')}
        text={t("A question about an order? Have its order number at hand: it stands on the order's page.")}
      >
        <ul className="grid grid-cols-1 gap-3 sm:grid-cols-2">
          <ContactMethod icon={<MailIcon />} title={t('E-mail')}>
            <a href={`mailto:${email}`} className={contactLinkStyles}>
              {email}
            </a>
          </ContactMethod>
          <ContactMethod icon={<PhoneIcon />} title={t('Mobile')}>
            <a href={telephoneUrl(mobile)} className={contactLinkStyles}>
              {mobile}
            </a>
          </ContactMethod>
          {social.chatNumber && (
            <ContactMethod icon={<WhatsappLogo />} title={t('WhatsApp')}>
              <a href={`https://wa.me/${social.chatNumber}`} className={contactLinkStyles}>
                {t('Send us a message')}
              </a>
            </ContactMethod>
          )}
          <ContactMethod icon={<PinIcon />} title={t('Office address')}>
            <address className="py-2.5 not-italic">{officeAddress(brand, language)}</address>
          </ContactMethod>
        </ul>
        <p className="flex flex-wrap gap-x-6">
          <Link to={links.promise()} className={standaloneLinkStyles}>
            {t('Our promise')}
          </Link>
          <Link to={links.privacy()} className={standaloneLinkStyles}>
            {t('Privacy policy')}
          </Link>
        </p>
      </Split>
    </PageBody>
  );
}

/** A block element, so that a long e-mail address wraps. */
const contactLinkStyles = 'block py-2.5 font-semibold text-accent-ink underline-offset-3 hover:underline';

function ContactMethod({ icon, title, children }: { icon: ReactNode; title: string; children: ReactNode }) {
  return (
    <Card as="li">
      <div className="flex items-start gap-4">
        <span className="grid size-11 shrink-0 place-items-center rounded-full bg-accent-soft text-accent-ink">{icon}</span>
        <div className="min-w-0 flex-1 wrap-anywhere">
          <h2 className="text-sm text-ink-soft">{title}</h2>
          {children}
        </div>
      </div>
    </Card>
  );
}
