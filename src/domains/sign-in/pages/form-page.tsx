import type { ReactNode } from 'react';
import { useLanguage } from '../../../i18n/language.tsx';
import type { MessageKey } from '../../../i18n/messages.ts';
import { Card } from '../../../ui/layout/card.tsx';
import { PageBody } from '../../../ui/layout/container.tsx';
import { DoorPicture } from '../../../ui/art/screens/door.tsx';
import { Split } from '../../../ui/layout/split.tsx';
import { Spinner } from '../../../ui/feedback/spinner.tsx';
import { MAIN_ID } from '../../../site/site-layout.tsx';

interface FormPageProps {
  /** Default: the bag at the door. */
  picture?: ReactNode;
  title: string;
  text?: ReactNode;
  children: ReactNode;
  below?: ReactNode;
}

/** The layout of the account forms: a card beside or below its heading. */
export function FormPage({ picture, title, text, children, below }: FormPageProps) {
  return (
    <PageBody id={MAIN_ID} width="wide">
      <Split width="narrow" picture={picture ?? <DoorPicture />} title={title} text={text}>
        <Card>{children}</Card>
        {below && <div className="text-center">{below}</div>}
      </Split>
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
