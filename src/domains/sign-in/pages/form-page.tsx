import type { ReactNode } from 'react';
import { useLanguage } from '../../../i18n/language.tsx';
import type { MessageKey } from '../../../i18n/messages.ts';
import { Card } from '../../../ui/layout/card.tsx';
import { PageBody } from '../../../ui/layout/container.tsx';
import { PageHeading } from '../../../ui/layout/page-heading.tsx';
import { Spinner } from '../../../ui/feedback/spinner.tsx';
import { MAIN_ID } from '../../../site/site-layout.tsx';

/** The layout of the account forms: one column with a heading and a card. */
export function FormPage({ title, text, children, below }: { title: string; text?: ReactNode; children: ReactNode; below?: ReactNode }) {
  return (
    <PageBody id={MAIN_ID} width="narrow">
      <PageHeading title={title} text={text} />
      <Card>{children}</Card>
      {below && <div className="text-center">{below}</div>}
    </PageBody>
  );
}

export function WaitingPage({ title, label }: { title: MessageKey; label?: string }) {
  const { t } = useLanguage();
  return (
    <FormPage title={t(title)}>
      <Spinner label={label ?? t('One moment')} />
    </FormPage>
  );
}
