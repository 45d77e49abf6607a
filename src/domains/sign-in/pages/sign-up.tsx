import { useLocation } from 'react-router';
import { buttonLook } from '../../../ui/button-look.ts';
import { site } from '../../../web/site.ts';
import { Entrance } from './entrance.tsx';
import { useFlow } from './flow.ts';
import { LoginLink } from './login-link.tsx';
import { SignUpForm } from './sign-up-form.tsx';

export const meta = () => [
  { title: `Sign up · ${site().brand.name}` },
  { name: 'description', content: 'Sign up with your mobile number and order your first wash.' },
];

export default function SignUpPage() {
  const { state } = useLocation();
  const { signUpHeading, signUpText } = useFlow();
  return (
    <Entrance title={signUpHeading} text={signUpText}>
      <SignUpForm
        below={
          <LoginLink returnState={state} look={buttonLook('secondary', 'regular', true)}>
            Already have account?
          </LoginLink>
        }
      />
    </Entrance>
  );
}
