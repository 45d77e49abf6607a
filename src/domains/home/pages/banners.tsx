import { useEffect, useRef, type ReactNode } from 'react';
import { Link } from 'react-router';
import { useLanguage } from '../../../i18n/language.tsx';
import { FoldedStackArt, GiftArt, PickupVanArt } from '../../../ui/art/moments.tsx';
import { standaloneLinkStyles } from '../../../ui/actions/link-styles.ts';
import { links } from '../../../shared/links.ts';
import { SERVICES_ID } from './service-tiles.tsx';

/** Specification section 9: the carousel advances once, after this time. */
const ADVANCE_AFTER_MS = 4000;

/** The carousel does not advance after any of these events. */
const INTERACTIONS = ['pointerdown', 'wheel', 'keydown', 'focusin'];

/**
 * A scrollable strip of banners. It advances once, unless the visitor used it before or prefers
 * reduced motion.
 */
export function Banners({ hasServices }: { hasServices: boolean }) {
  const { t } = useLanguage();
  const strip = useRef<HTMLUListElement>(null);
  useEffect(() => {
    const list = strip.current;
    if (!list || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    const timer = setTimeout(() => list.scrollBy({ left: list.clientWidth / 2, behavior: 'smooth' }), ADVANCE_AFTER_MS);
    const cancel = () => clearTimeout(timer);
    for (const event of INTERACTIONS) list.addEventListener(event, cancel, { passive: true });
    return cancel;
  }, []);
  return (
    <section aria-label={t('Good to know')}>
      <ul ref={strip} className="carousel rounded-card">
        <Banner art={<PickupVanArt />} title={t('Choose your evening')} text={t('Our rider comes between 05:00 and 09:00 PM.')}>
          {hasServices && (
            <a href={`#${SERVICES_ID}`} className={standaloneLinkStyles}>
              {t('Choose a service')}
            </a>
          )}
        </Banner>
        <Banner art={<GiftArt />} title={t('₹50 for every friend')} text={t('In your wallet, for each friend who joins with your link.')}>
          <Link to={links.refer()} className={standaloneLinkStyles}>
            {t('Get your link')}
          </Link>
        </Banner>
        <Banner
          art={<FoldedStackArt />}
          title={t('Pay half from your wallet')}
          text={t('The rest by UPI or cash, to the rider at your door.')}
        >
          <Link to={links.orders()} className={standaloneLinkStyles}>
            {t('Your orders')}
          </Link>
        </Banner>
      </ul>
    </section>
  );
}

function Banner({ art, title, text, children }: { art: ReactNode; title: string; text: string; children: ReactNode }) {
  return (
    <li className="flex shrink-0 basis-[88%] snap-start items-center gap-4 rounded-card bg-accent-soft p-5 md:basis-[46%] [&>svg]:h-20 sm:[&>svg]:h-28">
      {art}
      <div className="min-w-0 flex-1 [&>a]:mt-1.5">
        <h2 className="text-lg leading-tight font-bold">{title}</h2>
        <p className="mt-1 text-sm">{text}</p>
        {children}
      </div>
    </li>
  );
}
