import { useLanguage } from '../../../i18n/language.tsx';
import { Button } from '../../../ui/actions/button.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { logInToSend, useNeedsLogin } from './entries.ts';
import type { Entry } from './entry.ts';

interface EntriesNoticeProps {
  /** The entries of the logged-in person. */
  entries: readonly Entry[];
  /** The number of entries of other people who used this phone. */
  foreign: number;
}

/** How many entries are not with the laundry yet, and why. */
export function EntriesNotice({ entries, foreign }: EntriesNoticeProps) {
  const { t, plural } = useLanguage();
  const needsLogin = useNeedsLogin();
  const waiting = entries.filter(({ refusal }) => refusal === null).length;
  const refused = entries.length - waiting;
  return (
    <>
      {waiting > 0 && (
        <Notice
          tone={needsLogin ? 'warn' : 'info'}
          live
          title={plural(waiting, { one: '{count} entry is not sent yet', other: '{count} entries are not sent yet' }, { count: waiting })}
          {...(needsLogin && {
            action: (
              <Button variant="primary" size="small" onClick={() => void logInToSend()}>
                {t('Log in')}
              </Button>
            ),
          })}
        >
          {needsLogin ? t('Log in to send them.') : t('They are kept on this phone and are sent once there is a connection.')}
        </Notice>
      )}
      {refused > 0 && (
        <Notice
          tone="bad"
          live
          title={plural(refused, { one: '{count} entry was not accepted', other: '{count} entries were not accepted' }, { count: refused })}
        >
          {t('Look at the order, then try again or discard the entry.')}
        </Notice>
      )}
      {foreign > 0 && (
        <Notice tone="warn">
          {plural(
            foreign,
            {
              one: '{count} entry of another person waits on this phone until that person logs in.',
              other: '{count} entries of other people wait on this phone until they log in.',
            },
            { count: foreign },
          )}
        </Notice>
      )}
    </>
  );
}
