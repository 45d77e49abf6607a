import { Link, useLocation } from 'react-router';
import { buttonLook } from '../../../ui/button-look.ts';
import { links } from '../../../web/links.ts';
import { site } from '../../../web/site.ts';
import { Entrance } from './entrance.tsx';
import { SignUpForm } from './sign-up-form.tsx';

export const meta = () => [
  { title: `Sign up · ${site().brand.name}` },
  { name: 'description', content: 'Sign up with your mobile number and order your first wash.' },
];

export default function SignUpPage() {
  const { state } = useLocation();
  return (
    <Entrance title="Create an account" text="We send a code to your mobile to make sure that it is yours.">
      <SignUpForm
        below={
          <Link to={links.login()} state={state as unknown} className={buttonLook('secondary', 'regular', true)}>
            Already have account?
          </Link>
        }
      />
    </Entrance>
  );
}
