import { useState } from 'react';
import { useLanguage } from '../../../i18n/language.tsx';
import { defineMessages, type MessageKey } from '../../../i18n/messages.ts';
import { fetchSend } from '../../../browser/client.ts';
import { requireData } from '../../../contract/call-failures.ts';
import { useMutation } from '../../../browser/use-mutation.ts';
import { useQuery } from '../../../browser/use-query.ts';
import { LoadingFailed } from '../../../site/loading-failed.tsx';
import { Skeleton, SkeletonGroup } from '../../../ui/feedback/skeleton.tsx';
import { showToast } from '../../../ui/feedback/toast.ts';
import { SegmentedChoice } from '../../../ui/fields/segmented-choice.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { alertProblem } from '../../error-reports/pages/problem.ts';
import {
  changeMessageSettings,
  getMessageSettings,
  profileMessages as messages,
  OPTIONAL_MESSAGES,
  type MessageSettings as Settings,
  type OptionalMessage,
} from '../contract.ts';

const KINDS: Readonly<Record<OptionalMessage, MessageKey>> = defineMessages({
  placed: 'When your order is placed',
  attempted: 'When our rider came and could not collect or deliver',
  delivery: 'When your clothes are out for delivery',
  delivered: 'When your clothes are delivered',
});

/** The choice of messages by SMS. */
export function MessageSettings({ userid }: { userid: string }) {
  const { t } = useLanguage();
  const query = useQuery({
    queryKey: [userid],
    queryFn: async ({ signal }) => requireData(await fetchSend(getMessageSettings, { userid }, { signal })),
    onError: (error) => alertProblem(error, { doing: 'loading message settings' }),
  });
  if (query.status === 'error') return <LoadingFailed title={t('We could not load your message settings')} onRetry={query.retry} />;
  return (
    <Card as="section">
      <h2 className="font-semibold">{t('Messages by SMS')}</h2>
      <p className="mt-1 mb-4 text-sm text-ink-soft">{t('Weight, amount, payments, cancellation and refunds always reach you by SMS.')}</p>
      {query.status === 'loading' ? <SettingsSkeleton /> : <SettingsForm userid={userid} initial={query.data} />}
    </Card>
  );
}

/** Saves each choice at once. */
function SettingsForm({ userid, initial }: { userid: string; initial: Settings }) {
  const { t } = useLanguage();
  const [settings, setSettings] = useState(initial);
  const { pending, mutate } = useMutation({
    async mutationFn(next: Settings) {
      setSettings(requireData(await fetchSend(changeMessageSettings, { userid, ...next })));
      showToast({ text: messages.messageSettingsChanged, theme: 'green' });
    },
    onError: (error) => alertProblem(error, { doing: 'saving message settings' }),
  });
  return (
    <div className="space-y-4">
      {OPTIONAL_MESSAGES.map((kind) => (
        <SegmentedChoice
          key={kind}
          legend={t(KINDS[kind])}
          variant="segments"
          options={[
            { value: 'on', label: t('Send') },
            { value: 'off', label: t('Do not send') },
          ]}
          value={settings[kind] ? 'on' : 'off'}
          onChange={(value) => {
            if (!pending) void mutate({ ...settings, [kind]: value === 'on' });
          }}
        />
      ))}
    </div>
  );
}

const SettingsSkeleton = () => {
  const { t } = useLanguage();
  return (
    <SkeletonGroup label={t('Loading your message settings')}>
      <Skeleton shape="field" />
      <Skeleton shape="field" />
      <Skeleton shape="field" />
    </SkeletonGroup>
  );
};
