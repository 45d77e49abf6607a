import { useLanguage } from '../../../i18n/language.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import type { DeskEvening } from './contract.ts';

/** How many orders are promised for evenings that are being closed. Nothing without one. */
export function DueNotice({ evenings, title }: { evenings: readonly DeskEvening[]; title?: string | undefined }) {
  const { plural } = useLanguage();
  const due = evenings.reduce((sum, evening) => sum + evening.due, 0);
  if (due === 0) return null;
  return (
    <Notice tone="warn" live title={title}>
      {plural(
        due,
        {
          one: '{count} order is to be brought back then. Its time stays as promised.',
          other: '{count} orders are to be brought back then. Their times stay as promised.',
        },
        { count: due },
      )}
    </Notice>
  );
}
