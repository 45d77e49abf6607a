import type { ReactNode } from 'react';

const columns = {
  narrow: 'max-w-md lg:max-w-4xl lg:grid-cols-[minmax(0,6fr)_minmax(0,7fr)]',
  text: 'max-w-2xl lg:max-w-none lg:grid-cols-[minmax(0,1fr)_minmax(0,2fr)]',
} as const;

interface SplitProps {
  /** The width of the content: narrow for forms, text for one column. */
  width: keyof typeof columns;
  /** One of src/ui/art/screens. */
  picture: ReactNode;
  title: string;
  text?: ReactNode;
  back?: ReactNode;
  children: ReactNode;
}

/**
 * A page of one column with a picture at its heading. On wide screens heading and picture are
 * beside the content and remain visible. The parent is a `PageBody` of the width `wide`.
 */
export function Split({ width, picture, title, text, back, children }: SplitProps) {
  return (
    <div className={`mx-auto grid grid-cols-1 items-start gap-6 lg:gap-16 ${columns[width]}`}>
      <header className="grid grid-cols-[1fr_min(5rem,25vw)] items-center gap-x-4 gap-y-2 sm:grid-cols-[1fr_7rem] lg:sticky lg:top-24 lg:grid-cols-1">
        {back && <div className="col-span-full -ms-3">{back}</div>}
        <h1 className="text-title font-bold">{title}</h1>
        <div className="lg:order-last lg:w-72 lg:max-w-full lg:pt-6 print:hidden">{picture}</div>
        {text && <p className="col-span-full max-w-prose text-ink-soft">{text}</p>}
      </header>
      <div className="min-w-0 space-y-6">{children}</div>
    </div>
  );
}
