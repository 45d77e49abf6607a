import { Link } from 'react-router';
import { formatDayTime } from '../../../../i18n/day-time.ts';
import { useLanguage } from '../../../../i18n/language.tsx';
import { Card } from '../../../../ui/layout/card.tsx';
import { DefinitionTable } from '../../../../ui/layout/definition-table.tsx';
import { standaloneLinkStyles } from '../../../../ui/actions/link-styles.ts';
import { links } from '../../../../shared/links.ts';
import { formatLoadEstimate } from '../draft/order-labels.ts';
import { expectedLoadOf } from '../offline/seen-orders.ts';
import type { Order, Stage } from '../../contract.ts';
import { costRows } from './cost-rows.tsx';
import { figuresBefore, historyText } from './history-texts.ts';

/**
 * Shows cost, discount and final amount. Before the pickup a note replaces the amounts, with the
 * estimate of an order that was placed in this browser.
 */
export function OrderCost({ order }: { order: Order }) {
  const language = useLanguage();
  const { t } = language;
  const load = order.total_weight === null ? expectedLoadOf(order.orderid) : undefined;
  const estimate = load && formatLoadEstimate(language, load, order.program_rate, order.offer_rate);
  return (
    <Card as="section">
      <h2 className="font-semibold">{t('Amount')}</h2>
      <DefinitionTable rows={[...costRows(language, order), ...(estimate ? [{ label: t('Estimate'), value: estimate }] : [])]} />
      <Correction order={order} />
      {order.washing_stage === ('delivered' satisfies Stage) && (
        <Link to={links.bill(order.orderid)} className={`${standaloneLinkStyles} mt-2`}>
          {t('See the bill')}
        </Link>
      )}
    </Card>
  );
}

/** Why the amount is not the one of the first weighing. */
function Correction({ order: { orderid, history } }: { order: Order }) {
  const language = useLanguage();
  const { t } = language;
  const entry = history.findLast(({ kind }) => kind === 'corrected');
  const before = entry && figuresBefore(language, history, entry);
  if (entry === undefined || before === undefined) return null;
  return (
    <div className="mt-2 text-sm">
      <p className="wrap-anywhere">{historyText(language, entry)}</p>
      <p className="text-ink-soft">
        {t('Before: {figures}', { figures: before })} · {formatDayTime(language, entry.at)}
      </p>
      <Link to={links.claims(orderid, 'amount')} className={standaloneLinkStyles}>
        {t('Is this wrong? Tell us')}
      </Link>
    </div>
  );
}
