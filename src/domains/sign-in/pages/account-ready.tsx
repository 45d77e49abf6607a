import { useLanguage } from '../../../i18n/language.tsx';
import { FoldedStackArt } from '../../../ui/art/moments.tsx';
import { buttonStyles } from '../../../ui/actions/button-styles.ts';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { Entrance } from './entrance.tsx';
import { LoginLink } from './login-link.tsx';

/** Inside the native app a sign-up ends here: the app has been told, and closes the page when it likes. */
export function AccountReady() {
  const { t } = useLanguage();
  return (
    <Entrance title={t('Account Created')}>
      <div role="status">
        <EmptyState
          art={<FoldedStackArt />}
          title={t('Your account is ready')}
          text={t('You can go on in the app.')}
          action={<LoginLink className={buttonStyles('primary')}>{t('Login')}</LoginLink>}
        />
      </div>
    </Entrance>
  );
}
