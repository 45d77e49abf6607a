/** What the demonstration's customer was given: credits of every kind, an offer that is over and one that is active. */
import { discountedRatePaise, type Paise } from '../../lib/money.ts';
import type { Tx } from '../../db/database.server.ts';
import type { SignedInCustomer } from '../../domains/sessions/authentication.server.ts';
import { activeOffer } from '../../domains/offers/rules.ts';
import { grantOffer, listOffers } from '../../domains/offers/service.server.ts';
import type { CreditKind } from '../../domains/wallet/contract.ts';
import { creditWallet } from '../../domains/wallet/service.server.ts';

interface SampleCredit {
  kind: CreditKind;
  amountPaise: Paise;
  reason: string;
}

export const giveSampleCredit = (tx: Tx, { id }: SignedInCustomer, credit: SampleCredit, at: Date) =>
  creditWallet(tx, { ...credit, customerId: id, reference: `sample:${id}:${credit.kind}`, at });

export const giveSampleOffer = (
  tx: Tx,
  { id }: SignedInCustomer,
  offer: { percent: number; validDays: number; reason: string },
  at: Date,
) => grantOffer(tx, { customerId: id, startsAt: at, ...offer }, at);

/** The figures that the customer would have been shown at that time. */
export async function sampleFigures(tx: Tx, customer: SignedInCustomer, rate: Paise, at: Date) {
  const offer = activeOffer(await listOffers(tx, customer), at);
  const percent = offer?.percent ?? 0;
  return { programrate: rate, orderrate: discountedRatePaise(rate, percent), offerid: offer?.id ?? null, offerrate: percent };
}
