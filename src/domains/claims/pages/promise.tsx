import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useLanguage } from '../../../i18n/language.tsx';
import { links } from '../../../shared/links.ts';
import { useSiteConfig } from '../../../shared/site-config.ts';
import { pageTitle, type PageHandle } from '../../../site/page-meta.tsx';
import { MAIN_ID } from '../../../site/site-layout.tsx';
import { buttonStyles } from '../../../ui/actions/button-styles.ts';
import { Card } from '../../../ui/layout/card.tsx';
import { PageBody } from '../../../ui/layout/container.tsx';
import { Split } from '../../../ui/layout/split.tsx';
import { ScalePicture } from '../../../ui/art/screens/scale.tsx';

export const handle: PageHandle = {
  meta: (t, { brand }) => [
    { title: pageTitle(t('Our promise'), brand) },
    {
      name: 'description',
      content: t('Weighed in front of you, answered within 48 hours, and what {brand} pays for a lost or ruined piece.', {
        brand: brand.name,
      }),
    },
  ],
};

export default function PromisePage() {
  const { t, rupees } = useLanguage();
  const { maxCompensationPaise } = useSiteConfig();
  return (
    <PageBody id={MAIN_ID} width="wide">
      <Split width="text" picture={<ScalePicture />} title={t('Our promise')} text={t('What you can count on with every order.')}>
        <div className="space-y-4">
          <Pledge title={t('Weighed in front of you')}>
            {t(
              'The rider weighs your clothes at your door, in front of you, and counts the pieces. The page of your order then shows weight, pieces and price. The price is the rate that you saw when you ordered, times the weight.',
            )}
          </Pledge>
          <Pledge title={t('If we correct a weight')}>
            {t(
              'The page of your order then shows the old and the new weight and amount, and our reason. If you do not agree, report it there: a person answers within 48 hours.',
            )}
          </Pledge>
          <Pledge title={t('If a piece is lost or ruined')}>
            {t(
              'We pay what the piece cost you, up to {amount} for each piece. Report it on the page of your order, with photos if you can.',
              {
                amount: rupees(maxCompensationPaise),
              },
            )}
          </Pledge>
          <Pledge title={t('If your clothes come late')}>
            {t(
              'The page of your order shows the time by which your clothes are back, and says so if we are late. You can report it there, and a person answers within 48 hours.',
            )}
          </Pledge>
          <Pledge title={t('An answer within 48 hours')}>
            {t('A person reads every report and answers within 48 hours. The page of your order shows the deadline and the answer.')}
          </Pledge>
          <Pledge title={t('How money comes back')}>
            {t(
              'We credit what we owe you to your wallet, with an entry that names your order. A payment for a cancelled order is credited at once. You can pay half of each later order from the wallet.',
            )}
          </Pledge>
        </div>
        <div className="flex flex-wrap gap-3">
          <Link to={links.orders()} className={buttonStyles('primary')}>
            {t('See your orders')}
          </Link>
          <Link to={links.contact()} className={buttonStyles('secondary')}>
            {t('Contact')}
          </Link>
        </div>
      </Split>
    </PageBody>
  );
}

const Pledge = ({ title, children }: { title: string; children: ReactNode }) => (
  <Card as="section">
    <h2 className="text-lg font-semibold">{title}</h2>
    <p className="mt-2">{children}</p>
  </Card>
);
