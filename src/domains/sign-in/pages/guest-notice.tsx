import { useLanguage } from '../../../i18n/language.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { links } from '../../../shared/links.ts';

/** Returns true if the visitor followed a link to an order, and had no account on its page. */
export const mayHaveGuestOrder = (returnTo: string | undefined, hadSession = false): boolean =>
  returnTo?.startsWith(links.order('')) === true && !hadSession;

/** For the links to orders, which the SMS contain. */
export function GuestOrderNotice() {
  const { t } = useLanguage();
  return (
    <Notice tone="info">
      {t('Did you order as a guest in another browser? Log in with the same mobile number, or sign up with it, to see your orders here.')}
    </Notice>
  );
}
