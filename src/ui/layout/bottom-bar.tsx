import type { ReactNode, Ref } from 'react';

/**
 * The actions of a page. On phones they stick to the bottom edge in place of the tabs, above the
 * home indicator. `region` is for actions that are replaced while they have the focus.
 */
export function BottomBar({ region, children }: { region?: Ref<HTMLDivElement>; children: ReactNode }) {
  return (
    <div className="bottom-bar max-md:sticky max-md:bottom-0 max-md:z-20 max-md:-mx-page sm:max-md:-mx-6 max-md:border-t max-md:border-line max-md:bg-surface max-md:px-page sm:max-md:px-6 max-md:pt-3 max-md:pb-[calc(0.75rem+env(safe-area-inset-bottom))]">
      <div
        ref={region}
        tabIndex={region ? -1 : undefined}
        className="flex gap-3 *:flex-1 *:px-[min(0.75rem,3vw)] md:justify-end md:*:flex-none md:*:px-6"
      >
        {children}
      </div>
    </div>
  );
}
