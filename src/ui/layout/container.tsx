import type { ReactNode } from 'react';

const widths = { narrow: 'max-w-md', text: 'max-w-2xl', wide: 'max-w-6xl' } as const;

/** Limits the page width: narrow for forms, text for one column, wide for the rest. */
export function Container({ width, children }: { width: keyof typeof widths; children: ReactNode }) {
  return <div className={`mx-auto w-full px-page sm:px-6 ${widths[width]}`}>{children}</div>;
}

/** The body of a page below the app bar: the target of the skip link. */
export function PageBody({ id, width, children }: { id: string; width: keyof typeof widths; children: ReactNode }) {
  return (
    <main id={id} tabIndex={-1} className="min-h-[70dvh] pt-6 pb-16 max-md:has-[.bottom-bar]:pb-0 sm:pt-10">
      <Container width={width}>
        <div className="space-y-6">{children}</div>
      </Container>
    </main>
  );
}
