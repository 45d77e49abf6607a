import { Suspense, useEffect, useState } from 'react';
import { data, type ShouldRevalidateFunctionArgs } from 'react-router';
import { PageBody } from '../../../ui/layout/container.tsx';
import { sendContext } from '../../../shared/router-context.ts';
import { lazyComponent } from '../../../browser/lazy-component.ts';
import { preloadWhenIdle } from '../../../browser/preload-when-idle.ts';
import { useKnownBrowser } from '../../../browser/session-user.ts';
import { Skeleton } from '../../../ui/feedback/skeleton.tsx';
import { MAIN_ID } from '../../../site/site-layout.tsx';
import { track } from '../../analytics/pages/track.ts';
import type { Area } from '../../catalogue/contract.ts';
import type { Service } from '../../catalogue/rules.ts';
import { statusOf } from '../../catalogue/pages/catalogue-data.ts';
import { useCartEntry } from '../../orders/pages/choosing/cart-entry.ts';
import { cartActions, type Draft } from '../../orders/pages/draft/cart-state.ts';
import { changeDraft, useDraft } from '../../orders/pages/draft/draft.ts';
import { unplacedOrder, useUnplaced } from '../../orders/pages/placing/unplaced.ts';
import type { Route } from './+types/home.ts';
import { AppPromo } from './app-promo.tsx';
import { AreaChoice } from './area-choice.tsx';
import { Banners } from './banners.tsx';
import { EstimateOffer } from './estimate-offer.tsx';
import { loadHome, type HomeData } from './home-data.ts';
import type { RecentOrdersProps } from './recent-orders.tsx';
import { Hero } from './hero.tsx';
import { HowItWorks } from './how-it-works.tsx';
import { ServiceArea } from './service-area.tsx';
import { ServiceTiles } from './service-tiles.tsx';
import { TopReviews } from './top-reviews.tsx';

export async function loader({ context }: Route.LoaderArgs) {
  // The server logs the failed call.
  const home = await loadHome(context.get(sendContext), () => {});
  return data(home, { status: statusOf(home) });
}

/** How long home waits for its data after a failed order, when the connection may hang. */
const AFTER_FAILURE_MS = 3000;

/** Resolves without data if an order failed and home takes too long. */
export function clientLoader(): Promise<HomeData> {
  const home = import('./load-in-browser.ts').then(({ loadInBrowser }) => loadInBrowser());
  if (!unplacedOrder()) return home;
  return Promise.race([
    home,
    new Promise<HomeData>((done) => setTimeout(done, AFTER_FAILURE_MS, { areas: [], services: null, reviews: null })),
  ]);
}

/** Returns false when the cart opens or closes: the pathname stays, and the data is still valid. */
export const shouldRevalidate = ({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs) => currentUrl.pathname !== nextUrl.pathname;

/** Loaded when the page is idle, or when the customer starts an order. */
const Cart = lazyComponent(async () => (await import('../../orders/pages/choosing/cart-sheet.tsx')).CartSheet);

/** Loaded in browsers of customers and guests. */
const RecentOrders = lazyComponent(async () => (await import('./recent-orders.tsx')).RecentOrders);

const UnplacedNotice = lazyComponent(async () => (await import('../../orders/pages/placing/unplaced-notice.tsx')).UnplacedNotice);

export default function Home({ loaderData: { areas, services, reviews } }: Route.ComponentProps) {
  const draft = useDraft();
  const unplaced = useUnplaced();
  const cart = useCartEntry();
  const [cartWasOpened, setCartWasOpened] = useState(false);
  if (cart.isOpen && !cartWasOpened) setCartWasOpened(true);
  const [isOpening, setIsOpening] = useState(false);
  useEffect(() => preloadWhenIdle(Cart.preload), []);

  const hasServices = services !== null && services.length > 0;
  const chooseArea = (area: Area) => {
    Cart.preload();
    changeDraft((before) => cartActions.chooseArea(before, area));
  };
  const openCart = (change: (before: Draft) => Draft) => {
    track('select_item');
    cart.open(change);
  };
  const pick = (service: Service) => openCart((before) => cartActions.pick(before, service));
  return (
    <PageBody id={MAIN_ID} width="wide">
      <Hero services={services}>{hasServices && <AreaChoice areas={areas} area={draft.area} onChoose={chooseArea} />}</Hero>
      {/* Below the hero: the toast about the same order covers the top of the page. */}
      {unplaced && (
        <Suspense>
          <UnplacedNotice unplaced={unplaced} />
        </Suspense>
      )}
      <KnownBrowser services={services} onOpenCart={openCart} />
      <ServiceTiles
        services={services}
        area={draft.area}
        openingId={isOpening ? draft.service?.programid : undefined}
        onIntent={Cart.preload}
        onPick={pick}
      />
      <ServiceArea />
      {hasServices && <EstimateOffer services={services} areas={areas} onOrder={pick} />}
      <Banners hasServices={hasServices} />
      <HowItWorks />
      <TopReviews reviews={reviews} />
      <AppPromo />
      {cartWasOpened && (
        <Suspense fallback={<Opening onChange={setIsOpening} />}>
          <Cart services={services} open={cart.isOpen} onStep={cart.step} onClose={cart.close} />
        </Suspense>
      )}
    </PageBody>
  );
}

/**
 * The orders of a customer or guest. Apart from `Home`, which would otherwise render all its
 * sections again as soon as the session is known.
 */
function KnownBrowser({ services, onOpenCart }: RecentOrdersProps) {
  const known = useKnownBrowser();
  return (
    <div className="known-only empty:hidden" data-known={known}>
      {known === 'unknown' && <Skeleton shape="recent" />}
      {known === 'yes' && (
        <Suspense fallback={<Skeleton shape="recent" />}>
          <RecentOrders services={services} onOpenCart={onOpenCart} />
        </Suspense>
      )}
    </div>
  );
}

/** Reports whether the script of the cart still loads: the tile shows it. */
function Opening({ onChange }: { onChange(isOpening: boolean): void }) {
  useEffect(() => {
    onChange(true);
    return () => onChange(false);
  }, [onChange]);
  return null;
}
