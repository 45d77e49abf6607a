import { useLanguage } from '../../../i18n/language.tsx';
import { Button } from '../../../ui/actions/button.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { logInToSend, useNeedsLogin } from './entries.ts';
import { unblockedEntries, type Entry } from './entry.ts';
import { describeEntry } from './entry-item.tsx';

interface EntriesNoticeProps {
  /** The entries of the logged-in person. */
  entries: readonly Entry[];
  /** The number of entries of other people who used this phone. */
  foreign: number;
}

/** How many entries are not with the laundry yet, and why. */
export function EntriesNotice({ entries, foreign }: EntriesNoticeProps) {
  const language = useLanguage();
  const { t, plural } = language;
  const needsLogin = useNeedsLogin();
  const refused = entries.filter(({ refusal }) => refusal !== null);
  const waiting = entries.length - refused.length;
  const isSending = unblockedEntries(entries).length > 0;
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
          {needsLogin
            ? t('Log in to send them.')
            : isSending
              ? t('They are kept on this phone and are sent once there is a connection.')
              : t('Kept on this phone until you deal with what was not accepted.')}
        </Notice>
      )}
      {refused.length > 0 && (
        <Notice
          tone="bad"
          live
          title={plural(
            refused.length,
            { one: '{count} entry was not accepted', other: '{count} entries were not accepted' },
            { count: refused.length },
          )}
        >
          <ul className="[overflow-wrap:anywhere]">
            {refused.map((entry) => (
              <li key={entry.id}>
                {entry.name}: {describeEntry(language, entry)}
              </li>
            ))}
          </ul>
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
