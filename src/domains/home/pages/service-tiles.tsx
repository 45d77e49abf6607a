import { Suspense, type ReactNode } from 'react';
import { useLanguage } from '../../../i18n/language.tsx';
import { IronArt, WashArt, WashIronArt } from '../../../ui/art/services.tsx';
import { ChevronRightIcon } from '../../../ui/icons/chevron.tsx';
import { lazyComponent } from '../../../browser/lazy-component.ts';
import { formatRateIn } from '../../catalogue/pages/format-rate.ts';
import type { Area, ByService } from '../../catalogue/contract.ts';
import type { Service } from '../../catalogue/rules.ts';

/** Loaded on demand, because most visits do not need them. */
const ProgramsFailed = lazyComponent(async () => (await import('../../catalogue/pages/programs-failed.tsx')).ProgramsFailed);
const EmptyCatalogue = lazyComponent(async () => (await import('../../catalogue/pages/empty-catalogue.tsx')).EmptyCatalogue);

export const SERVICES_ID = 'services';

const PICTURES: ByService<ReactNode> = { wash: <WashArt />, 'wash-iron': <WashIronArt />, iron: <IronArt /> };

interface ServiceTilesProps {
  /** Null if the catalogue could not be loaded. */
  services: readonly Service[] | null;
  area: Area | 'none';
  /** The program whose cart opens as soon as its script is loaded. */
  openingId: string | undefined;
  /**
   * Called when a pointer or the focus reaches a tile, so that the code of the cart can be
   * preloaded.
   */
  onIntent(): void;
  onPick(service: Service): void;
}

export function ServiceTiles({ services, area, openingId, onIntent, onPick }: ServiceTilesProps) {
  const language = useLanguage();
  const { translateData } = language;
  if (!services || services.length === 0) return <Suspense>{services ? <EmptyCatalogue /> : <ProgramsFailed />}</Suspense>;
  return (
    <ul id={SERVICES_ID} className="grid scroll-mt-24 grid-cols-1 gap-3 md:grid-cols-3 md:gap-5">
      {services.map((service) => (
        <li key={service.programid}>
          <button
            type="button"
            data-pending={service.programid === openingId ? '' : undefined}
            className="group flex size-full flex-wrap items-center gap-4 rounded-card border border-line bg-surface p-4 text-start shadow-card transition-colors hover:border-accent-ink active:border-accent-ink active:bg-accent-soft md:flex-col md:items-start md:p-5"
            onPointerEnter={onIntent}
            onPointerDown={onIntent}
            onFocus={onIntent}
            onClick={() => onPick(service)}
          >
            <span className="grid size-24 shrink-0 grid-cols-1 place-items-center rounded-card bg-accent-soft md:h-44 md:w-full md:[&>svg]:size-28">
              {PICTURES[service.programid] ?? <WashArt />}
            </span>
            <span className="min-w-0 flex-1 basis-24">
              <span className="block text-lg font-bold">{translateData(service.name)}</span>
              <span className="block text-sm text-ink-soft">{translateData(service.description)}</span>
              <span className="mt-1 block font-semibold text-accent-ink tabular-nums">{formatRateIn(area, language, service)}</span>
            </span>
            <span className="text-ink-soft transition-transform group-hover:translate-x-0.5 md:hidden">
              <ChevronRightIcon />
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}
