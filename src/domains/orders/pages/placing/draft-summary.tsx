import { useLanguage } from '../../../../i18n/language.tsx';
import { Card } from '../../../../ui/layout/card.tsx';
import { DefinitionTable } from '../../../../ui/layout/definition-table.tsx';
import type { Draft } from '../draft/cart-state.ts';
import { pickupRows, priceRows, programRows } from './order-rows.ts';

/** Service, day and rate, beside the last question before the order is placed. */
export function DraftSummary({ draft }: { draft: Draft }) {
  const language = useLanguage();
  return (
    <Card as="section">
      <h2 className="font-semibold">{language.t('Order summary')}</h2>
      <DefinitionTable rows={[...programRows(language, draft), ...pickupRows(language, draft), ...priceRows(language, draft)]} />
    </Card>
  );
}
