import { useLanguage } from '../../../i18n/language.tsx';
import { FoldedStackArt } from '../../../ui/art/moments.tsx';
import { buttonStyles } from '../../../ui/actions/button-styles.ts';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { FormPage } from './form-page.tsx';
import { LoginLink } from './login-link.tsx';

/**
 * The last screen of a sign-up inside the native app. The app was notified and closes the page
 * itself.
 */
export function AccountReady() {
  const { t } = useLanguage();
  return (
    <FormPage title={t('Account Created')}>
      <div role="status">
        <EmptyState
          art={<FoldedStackArt />}
          title={t('Your account is ready')}
          text={t('You can go on in the app.')}
          action={<LoginLink className={buttonStyles('primary')}>{t('Login')}</LoginLink>}
        />
      </div>
    </FormPage>
  );
}
