import { useLocation } from 'react-router';
import { useLanguage } from '../../../i18n/language.tsx';
import { buttonStyles } from '../../../ui/actions/button-styles.ts';
import { pageTitle, type PageHandle } from '../../../site/page-meta.tsx';
import { FormPage } from './form-page.tsx';
import { useFlow } from './flow.ts';
import { LoginLink } from './login-link.tsx';
import { SignedInNotice } from './signed-in-notice.tsx';
import { SignUpForm } from './sign-up-form.tsx';

export const handle: PageHandle = {
  meta: (t, { brand }) => [
    { title: pageTitle(t('Sign up'), brand) },
    { name: 'description', content: t('Sign up with your mobile number and order your first wash.') },
  ],
};

export default function SignUpPage() {
  const { t } = useLanguage();
  const { state } = useLocation();
  const { signUpHeading, signUpText } = useFlow();
  return (
    <FormPage title={t(signUpHeading)} text={signUpText && t(signUpText)}>
      <SignedInNotice />
      <SignUpForm
        below={
          <LoginLink returnState={state} className={buttonStyles('secondary', 'regular', true)}>
            {t('Already have account?')}
          </LoginLink>
        }
      />
    </FormPage>
  );
}
