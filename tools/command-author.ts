import { userInfo } from 'node:os';

/** Returns the author of a command for the audit: behind sudo, the user who called it. */
export const commandAuthor = () => ({ commandUser: (process.env.SUDO_USER || userName()).slice(0, 64) });

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // A container can run with a user id that has no name.
    return `uid ${process.getuid?.()}`;
  }
}
