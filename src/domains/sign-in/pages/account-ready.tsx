import { FoldedStackArt } from '../../../ui/art/moments.tsx';
import { buttonLook } from '../../../ui/button-look.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Entrance } from './entrance.tsx';
import { LoginLink } from './login-link.tsx';

/** Inside the native app a sign-up ends here: the app has been told, and closes the page when it likes. */
export function AccountReady() {
  return (
    <Entrance title="Account Created">
      <div role="status">
        <EmptyState
          art={<FoldedStackArt />}
          title="Your account is ready"
          text="You can go on in the app."
          action={<LoginLink look={buttonLook('primary')}>Login</LoginLink>}
        />
      </div>
    </Entrance>
  );
}
