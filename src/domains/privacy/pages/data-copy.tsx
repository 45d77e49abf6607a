import { useState } from 'react';
import { useLanguage } from '../../../i18n/language.tsx';
import type { SessionUser } from '../../../browser/session-user.ts';
import { buttonStyles } from '../../../ui/actions/button-styles.ts';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { DATA_COPY_PATH, privacyMessages as messages } from '../contract.ts';
import { ContentsCard } from './contents-card.tsx';
import { OwnDataPage } from './own-data-page.tsx';
import { ProveNumber } from './prove-number.tsx';

export function DataCopyPage() {
  const { t } = useLanguage();
  return (
    <OwnDataPage title={t(messages.exported)} text={t('Everything that we store about you, in one file.')}>
      {(user) => <DataCopy key={user.userid} user={user} />}
    </OwnDataPage>
  );
}

function DataCopy({ user }: { user: SessionUser }) {
  const { t } = useLanguage();
  return (
    <>
      <ContentsCard
        title={t('What the file contains')}
        items={[
          t('Your name, mobile number, e-mail and addresses'),
          t('Your orders with their stages, payments and notes'),
          t('Your wallet, offers and referral bonuses'),
          t('Your reviews, your reports with our answers, and our messages to you'),
          t('The photos of your reports, and those that we took of your clothes'),
          t('When you logged in, and when we sent you a code'),
        ]}
      >
        <p className="mt-4 text-sm text-ink-soft">
          {t('It is a ZIP archive: open it to see the photos. The rest is one JSON file, which other programs can read.')}
        </p>
      </ContentsCard>
      <Card>
        <GetFile user={user} />
      </Card>
    </>
  );
}

/** The code field, which had the focus, was removed. */
const focus = (element: HTMLElement | null) => element?.focus();

function GetFile({ user: { mobile } }: { user: SessionUser }) {
  const { t } = useLanguage();
  const [isConfirmed, setIsConfirmed] = useState(false);
  if (!isConfirmed) return <ProveNumber mobile={mobile} purpose="export" error={undefined} onConfirmed={() => setIsConfirmed(true)} />;
  return (
    <Notice
      tone="good"
      live
      title={t('Your file is ready')}
      action={
        <a ref={focus} href={DATA_COPY_PATH} className={buttonStyles('primary')}>
          {t('Save the file')}
        </a>
      }
    >
      {t('The button works once, for ten minutes. Keep the file where only you can read it.')}
    </Notice>
  );
}
