import { Suspense, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { fetchSend } from '../../../../browser/client.ts';
import { lazyComponent } from '../../../../browser/lazy-component.ts';
import { useMutation } from '../../../../browser/use-mutation.ts';
import { useLanguage } from '../../../../i18n/language.tsx';
import { msg } from '../../../../i18n/messages.ts';
import { links } from '../../../../shared/links.ts';
import { Button } from '../../../../ui/actions/button.tsx';
import { textLinkStyles } from '../../../../ui/actions/link-styles.ts';
import { showToast } from '../../../../ui/feedback/toast.ts';
import { Card } from '../../../../ui/layout/card.tsx';
import { Stars } from '../../../../ui/layout/stars.tsx';
import { useKeptFocus } from '../../../../ui/use-kept-focus.ts';
import { WithdrawReview } from '../../../reviews/pages/withdraw-review.tsx';
import { loadCatalogue } from '../../../catalogue/pages/catalogue-data.ts';
import { alertProblem } from '../../../error-reports/pages/problem.ts';
import type { Order } from '../../contract.ts';
import { cartActions } from '../draft/cart-state.ts';
import { changeDraft } from '../draft/draft.ts';
import { loadOf } from '../draft/preselection.ts';

/** Loaded when the button receives the pointer or the focus. */
const WriteReview = lazyComponent(async () => (await import('../../../reviews/pages/write-review.tsx')).WriteReview);

interface DeliveredActionsProps {
  order: Order;
  /** Undefined for a guest, who has no reviews. */
  userid: string | undefined;
}

/** The actions of a customer on a delivered order. */
export function DeliveredActions({ order, userid }: DeliveredActionsProps) {
  const { t } = useLanguage();
  const { pending, orderAgain } = useOrderAgain(order);
  const [review, setReview] = useState<'none' | 'open' | 'closed'>('none');
  const isGuest = userid === undefined;
  const region = useKeptFocus();
  /** Undefined until this page changes it, null after a withdrawal. */
  const [changed, setChanged] = useState<number | null>();
  const stars = changed === undefined ? order.stars : changed;
  const onPosted = (given: number) => {
    setChanged(given);
    showToast({ text: msg('Thank you for your review'), theme: 'green' });
  };
  return (
    // Has the focus after a review or its withdrawal, which remove the button.
    <div ref={region} tabIndex={-1}>
      <Card as="section">
        <h2 className="font-semibold">{isGuest ? t('Next time') : t('How was it?')}</h2>
        {!isGuest && stars !== null && (
          <Rating userid={userid} orderid={order.orderid} stars={stars} onWithdrawn={() => setChanged(null)} />
        )}
        <div className="mt-4 grid gap-3 sm:grid-cols-2">
          {!isGuest && stars === null && (
            <Button variant="primary" onPointerEnter={WriteReview.preload} onFocus={WriteReview.preload} onClick={() => setReview('open')}>
              {t('Rate this order')}
            </Button>
          )}
          <Button variant="secondary" pending={pending} onClick={orderAgain}>
            {t('Order again')}
          </Button>
        </div>
        {review !== 'none' && (
          <Suspense>
            <WriteReview open={review === 'open'} orderid={order.orderid} onClose={() => setReview('closed')} onPosted={onPosted} />
          </Suspense>
        )}
      </Card>
    </div>
  );
}

/** An unhappy customer is asked what went wrong. */
const UNHAPPY_STARS = 2;

interface RatingProps {
  userid: string;
  orderid: string;
  stars: number;
  onWithdrawn(): void;
}

function Rating({ userid, orderid, stars, onWithdrawn }: RatingProps) {
  const { t } = useLanguage();
  return (
    <div className="mt-2 space-y-3">
      <p className="flex flex-wrap items-center gap-x-2">
        {t('Your rating')} <Stars rating={stars} />
        <WithdrawReview userid={userid} of={{ orderid }} onWithdrawn={onWithdrawn} />
      </p>
      {stars <= UNHAPPY_STARS && (
        <p className="text-sm">
          {t('We are sorry. Tell us what went wrong, and we put it right:')}{' '}
          <Link to={links.claims(orderid)} className={textLinkStyles}>
            {t('Report a problem')}
          </Link>
        </p>
      )}
    </div>
  );
}

/**
 * Returns `orderAgain`, which opens the cart with the program of the order in its area, or home if
 * the program is not offered now.
 */
export function useOrderAgain(order: Order) {
  const navigate = useNavigate();
  const { pending, mutate } = useMutation<void>({
    async mutationFn() {
      const { programid, area } = order;
      let failure: unknown;
      const { services } = await loadCatalogue(fetchSend, (error) => (failure = error));
      if (!services) throw failure;
      const service = services.find((row) => row.programid === programid);
      if (!service) return navigate(links.home());
      changeDraft((draft) => cartActions.repeat(draft, { service, area, load: loadOf(order) }));
      await navigate(links.cart());
    },
    onError: (error) => alertProblem(error, { doing: 'ordering again' }),
  });
  return { pending, orderAgain: () => void mutate() };
}
