import { Link } from 'react-router';
import { useMutation } from '../../../browser/use-mutation.ts';
import { usePaginatedQuery, type PageRequest } from '../../../browser/use-paginated-query.ts';
import { useQuery } from '../../../browser/use-query.ts';
import { useLanguage } from '../../../i18n/language.tsx';
import { staffLinks } from '../../../shared/staff-links.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { LoadMore } from '../../../ui/actions/load-more.tsx';
import { standaloneLinkStyles } from '../../../ui/actions/link-styles.ts';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { showToast } from '../../../ui/feedback/toast.ts';
import { Card } from '../../../ui/layout/card.tsx';
import { CallLink } from '../../order-desk/desk/order/contact-links.tsx';
import { LoadState } from '../../staff/desk/load-state.tsx';
import { staffRead } from '../../staff/desk/session.ts';
import { showProblem, showRefusal } from '../../staff/desk/show-problem.ts';
import { useKeyedSend } from '../../staff/desk/use-keyed-send.ts';
import { listUnsentMessages, sendMessageAgain, systemMessages, type MessagePage, type OrderMessage } from './contract.ts';
import { FAILURE_TEXTS, MESSAGE_KIND_TEXTS, MESSAGE_STATE_TEXTS, timeText } from './system-texts.ts';

function fetchPage(signal: AbortSignal, cursor?: string): Promise<MessagePage> {
  return staffRead(listUnsentMessages, { cursor }, { signal });
}

const onError = (error: unknown) => showProblem(error, 'listing the messages');

interface UnsentMessagesProps {
  now: string;
  /** False: some kinds have no template. Their messages are not in the list. */
  areAllKindsSent: boolean;
  onChanged(): Promise<unknown>;
}

/** The SMS that wait or were not sent. */
export function UnsentMessages({ now, areAllKindsSent, onChanged }: UnsentMessagesProps) {
  const { t } = useLanguage();
  const query = useQuery({ queryKey: [], queryFn: ({ signal }) => fetchPage(signal), onError });
  const reload = () => Promise.all([query.refetch(), onChanged()]);
  return (
    <section aria-labelledby="messages" className="space-y-3">
      <h2 id="messages" className="text-lg font-bold">
        {t('SMS that did not go out')}
      </h2>
      <LoadState query={query} loading={t('Loading the SMS')} failed={t('The SMS could not be loaded')} shapes={['block']} />
      {query.status === 'success' && (
        <>
          {query.data.messages.length + query.data.codes.length === 0 && (
            <p className="text-ink-soft">
              {areAllKindsSent
                ? t('None. Every SMS of the last 30 days went out.')
                : t('None. Every SMS of the last 30 days that is set up went out.')}
            </p>
          )}
          <Codes codes={query.data.codes} now={now} />
          <Messages firstPage={query.data} now={now} onChanged={reload} />
        </>
      )}
    </section>
  );
}

function Codes({ codes, now }: { codes: MessagePage['codes']; now: string }) {
  const language = useLanguage();
  const { t } = language;
  if (codes.length === 0) return null;
  return (
    <Card>
      <h3 className="font-semibold">{t('Codes of the last day')}</h3>
      <p className="mt-1 text-sm text-ink-soft">{t('A code is never sent later. The customer asks for another one.')}</p>
      <ul className="mt-2 divide-y divide-line">
        {codes.map(({ codeid, mobile, failure, error, at }) => (
          <li key={codeid} className="py-3 text-sm">
            <p className="font-medium tabular-nums">+91 {mobile}</p>
            <p className="text-ink-soft">{timeText(language, at, now)}</p>
            <Reason failure={failure} error={error} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Reason({ failure, error }: Pick<OrderMessage, 'failure' | 'error'>) {
  const { t } = useLanguage();
  return (
    <>
      {failure && <p>{t(FAILURE_TEXTS[failure])}</p>}
      {error && (
        <p className="text-ink-soft">
          {t('In its words:')} <q className="wrap-anywhere">{error}</q>
        </p>
      )}
    </>
  );
}

interface MessagesProps {
  firstPage: MessagePage;
  now: string;
  onChanged(): Promise<unknown>;
}

function Messages({ firstPage, now, onChanged }: MessagesProps) {
  const { t } = useLanguage();
  const send = useKeyedSend();
  const query = usePaginatedQuery({
    firstPage,
    queryFn: ({ pageParam, signal }: PageRequest<string>) => fetchPage(signal, pageParam),
    getNextPageParam: (pages) => pages.at(-1)?.next ?? undefined,
    getRows: ({ messages }) => messages,
    getRowId: ({ messageid }) => messageid,
    onError,
  });
  const { rows, listRef } = query;
  const { pending, mutate } = useMutation<string>({
    async mutationFn(messageid) {
      const result = await send(sendMessageAgain, { messageid });
      if (result.response === 'success') showToast({ theme: 'green', text: systemMessages.sendsAgain });
      else showRefusal(result);
      await onChanged();
    },
    onError: (error) => showProblem(error, 'sending a message again'),
  });
  return (
    <>
      <ul ref={listRef} className="space-y-3">
        {rows.map((message) => (
          <MessageCard
            key={message.messageid}
            message={message}
            now={now}
            pending={pending}
            onSend={() => void mutate(message.messageid)}
          />
        ))}
      </ul>
      <LoadMore query={query} label={t('Load more')} />
    </>
  );
}

const TONES = { waiting: 'plain', refused: 'bad', unsure: 'warn', 'too-late': 'bad', 'too-many': 'bad' } as const;

interface MessageCardProps {
  message: OrderMessage;
  now: string;
  pending: boolean;
  onSend(): void;
}

/** It can receive the focus when a further page of the list arrives. */
function MessageCard({ message, now, pending, onSend }: MessageCardProps) {
  const language = useLanguage();
  const { t, plural } = language;
  const { orderid, kind, mobile, state, failure, error, attempts, at, next } = message;
  return (
    <li tabIndex={-1} className="rounded-card border border-line bg-surface p-4 text-sm">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h3 className="text-base font-semibold">{t(MESSAGE_KIND_TEXTS[kind])}</h3>
        <Badge tone={TONES[state]}>{t(MESSAGE_STATE_TEXTS[state])}</Badge>
      </div>
      <p className="text-ink-soft">
        {timeText(language, at, now)}
        {attempts > 0 && <> · {plural(attempts, { one: '{count} attempt', other: '{count} attempts' }, { count: attempts })}</>}
      </p>
      <div className="mt-1 space-y-1">
        <Reason failure={failure} error={error} />
        {state === 'waiting' && next && <p>{t('It is tried again by itself.')}</p>}
        {state === 'refused' && !message.can_send_again && <p>{t('It is too old to be sent now.')}</p>}
      </div>
      <div className="mt-3 flex flex-wrap items-center gap-3">
        {message.can_send_again && (
          <Button variant="primary" size="small" pending={pending} onClick={onSend}>
            {t('Send again')}
            <span className="sr-only"> {orderid}</span>
          </Button>
        )}
        <CallLink mobile={mobile} />
        <Link to={staffLinks.order(orderid)} className={standaloneLinkStyles}>
          {t('Order {orderid}', { orderid })}
        </Link>
      </div>
    </li>
  );
}
