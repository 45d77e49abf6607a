import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { defineMessages } from '../../../i18n/messages.ts';
import { RichText, useLanguage } from '../../../i18n/language.tsx';
import { PageBody } from '../../../ui/layout/container.tsx';
import { Split } from '../../../ui/layout/split.tsx';
import { textLinkStyles } from '../../../ui/actions/link-styles.ts';
import { officeAddress } from '../../../shared/brand.ts';
import { links } from '../../../shared/links.ts';
import { useSiteConfig } from '../../../shared/site-config.ts';
import { MAIN_ID } from '../../../site/site-layout.tsx';
import { pageTitle, type PageHandle } from '../../../site/page-meta.tsx';
import { PERIODS } from './privacy-periods.ts';
import { LockPicture } from '../../../ui/art/screens/lock.tsx';

export const handle: PageHandle = {
  meta: (t, { brand }) => [
    { title: pageTitle(t('Privacy policy'), brand) },
    {
      name: 'description',
      content: t('What {brand} stores about you, what for, for how long, and who else sees it.', { brand: brand.name }),
    },
  ],
};

/** Describes what the program stores. A change of what is stored must change this page. */
export default function Privacy() {
  const language = useLanguage();
  const { t } = language;
  const { brand, botCheck, counting } = useSiteConfig();
  return (
    <PageBody id={MAIN_ID} width="wide">
      <Split
        width="text"
        picture={<LockPicture />}
        title={t('Privacy policy')}
        text={t('What {brand} stores about you, what for, and for how long.', { brand: brand.name })}
      >
        <PolicySection title={t('In short')}>
          <p>
            {t(
              'We store what it takes to collect, wash and return your clothes and to keep your wallet right. We show no advertisements, sell nothing about you, and count your visit only if you said yes.',
            )}
          </p>
        </PolicySection>
        <PolicySection title={t('Your account and your orders')}>
          <ul className="list-disc space-y-2 ps-5">
            <li>
              <b>{t('Account:')}</b>{' '}
              {t(
                'name, mobile number, e-mail if you gave one, and who referred you. Of your password we keep only a salted hash that is slow to guess, from which nobody can read it.',
              )}
            </li>
            <li>
              <b>{t('What you agreed to:')}</b>{' '}
              {t(
                'the words above the button with which you signed up, or placed your first order as a guest, their language and the time. This proof stays after a deletion, without your name and number.',
              )}
            </li>
            <li>
              <b>{t('Addresses:')}</b> {t('until you delete them. An order keeps a copy of the address it was placed with.')}
            </li>
            <li>
              <b>{t('Orders:')}</b>{' '}
              {t(
                'service, area, pickup day, address, weight, number of items, rate and every stage with its time. As a guest you give a mobile number and an address with the order; the address you typed stays in your browser’s tab until then.',
              )}
            </li>
            <li>
              <b>{t('Wallet:')}</b>{' '}
              {t(
                'every movement, with amount, kind and time. These entries cannot be changed or removed, by us either: a correction is a new entry.',
              )}
            </li>
            <li>
              <b>{t('Problems that you report:')}</b>{' '}
              {t(
                'your words, your photos and our answers. Photos are stored without the location and other data that phones add; one that you do not send is deleted after {unsentPhotoHours} hours.',
                { unsentPhotoHours: PERIODS.unsentPhotoHours },
              )}
            </li>
            <li>
              <b>{t('Reviews:')}</b> {t('your name, stars, words and the day. They are public until you withdraw them.')}
            </li>
          </ul>
          <p>
            <RichText
              text="These stay as long as your account. In your profile you can {copy} and {delete}, both after a code to your mobile. A deletion removes your name, number and addresses, and everything that you or we wrote. Orders, payments and entries of the wallet stay without them, because the law wants them in our books. Our log names a deleted account by an internal number, so that it is deleted again if we ever restore a backup. Of the number of a deleted account we keep a fingerprint, a keyed hash that only we can compare, as long as we pay referral bonuses: a number that signs up again is no new customer. To have something corrected, write to {email}."
              parts={{
                copy: (
                  <Link to={links.dataCopy()} className={textLinkStyles}>
                    {t('get a copy of your data')}
                  </Link>
                ),
                delete: (
                  <Link to={links.deleteAccount()} className={textLinkStyles}>
                    {t('delete your account')}
                  </Link>
                ),
                email: (
                  <a href={`mailto:${brand.email}`} className={textLinkStyles}>
                    {brand.email}
                  </a>
                ),
              }}
            />
          </p>
          <p>{t('Our backups keep what is deleted for at most {backupDays} more days.', { backupDays: PERIODS.backupDays })}</p>
        </PolicySection>
        <PolicySection title={t('Codes and messages')}>
          <p>
            {t(
              'To prove your mobile number we send it a code by SMS, valid for {codeMinutes} minutes, through an SMS provider that learns the number and the code. The message is deleted after {messageHours} hours, the record that a code was sent and how often it was guessed a little more than {codeRecordHours} hours after. A code is stored as a keyed hash only.',
              { codeMinutes: PERIODS.codeMinutes, messageHours: PERIODS.messageHours, codeRecordHours: PERIODS.codeRecordHours },
            )}
          </p>
          <p>
            {t(
              'We also tell you by SMS what happens to your order. The profile switches off the messages that are not about money. That a message was sent is recorded for {notificationDays} days.',
              { notificationDays: PERIODS.notificationDays },
            )}
          </p>
          <p>{t(BOT_CHECKS[botCheck.kind])}</p>
        </PolicySection>
        <PolicySection title={t('Against abuse and faults')}>
          <p>
            {t(
              'So that nobody can guess passwords or flood the site, we count attempts per mobile number and per network address. Both are stored as hashes and deleted about {limitHours} hours later. When a page fails, it sends us a report: what failed and where in the program. Mobile numbers, codes, passwords and tokens are taken out before it is stored, and it is deleted after {errorReportDays} days. Our log names the kind of page, the outcome and the time taken, not who asked.',
              { limitHours: PERIODS.limitHours, errorReportDays: PERIODS.errorReportDays },
            )}
          </p>
        </PolicySection>
        <PolicySection title={t('In your browser')}>
          <ul className="list-disc space-y-2 ps-5">
            <li>
              <b>{t('Cookies:')}</b>{' '}
              {t(
                'one that keeps you logged in for {sessionDays} days or until you log out, with a second one from which the tabs of this browser notice that you have logged out or changed the account; one that marks a browser in which you have logged in or proved your number, for {deviceDays} days or until you set a new password, so that strangers’ wrong passwords and codes do not lock you out; one for a day while you ask for a code; and one that remembers the language you chose, for a year.',
                { sessionDays: PERIODS.sessionDays, deviceDays: PERIODS.deviceDays },
              )}
            </li>
            <li>
              <b>{t('Storage of the tab:')}</b>{' '}
              {t(
                'your name, number and balance as shown, the order you are making, reports that you have not sent, with small copies of their photos, and sign-up and address forms that you have not finished, without passwords. Closing the tab or logging out clears it.',
              )}
            </li>
            <li>
              <b>{t('Storage of the browser:')}</b>{' '}
              {t(
                'your answer to being counted, with the question and the time; the orders that you saw last, so that you can read them without a connection, until you log out or forget the device; and copies of public files of this site, so that it opens faster. Nothing of your account is among those copies.',
              )}
            </li>
          </ul>
          {counting && (
            <p>
              {t(
                'If you said yes to being counted, we note which screens were opened, which services were picked and ordered, and the amount, under a random number that is forgotten when the page is closed. Depending on how this site is run, that goes to our own log or to Google Analytics, from our server, without your network address.',
              )}
            </p>
          )}
        </PolicySection>
        <PolicySection title={t('Who else sees it')}>
          <p>
            {t(
              'The rider sees name, mobile and address of the order. The SMS provider sees your number and the text of each message: the code, or the number, pickup day, weight and amount of the order. Where you pay online, the payment gateway gets the order number and the amount from us, and what you type on its own page from you. The shops of Google and Apple, Facebook, Instagram and WhatsApp see you only if you follow our link to them. Nobody else gets anything from us unless the law requires it.',
            )}
          </p>
          <p>
            <RichText
              text="Questions: {contact}. {provider}, {address}."
              parts={{
                contact: (
                  <Link to={links.contact()} className={textLinkStyles}>
                    {t('get in touch')}
                  </Link>
                ),
                provider: brand.provider,
                address: officeAddress(brand, language),
              }}
            />
          </p>
        </PolicySection>
      </Split>
    </PageBody>
  );
}

/** The bot check is a setting of the installation. */
const BOT_CHECKS = defineMessages({
  altcha: 'Before a code is sent, your browser solves a small puzzle that keeps bots out. It is ours and tells nobody anything.',
  turnstile: 'Before a code is sent, Cloudflare Turnstile checks that you are no bot; it learns your network address and your browser.',
  recaptcha: 'Before a code is sent, Google reCAPTCHA checks that you are no bot; it learns your network address and your browser.',
  off: 'This demonstration does not check for bots.',
});

function PolicySection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="space-y-3">
      <h2 className="text-xl font-bold">{title}</h2>
      {children}
    </section>
  );
}
