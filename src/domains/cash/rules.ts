/** The way of the cash of one payment through the hand-ins. docs/decisions/0151. */

export interface TracedHandIn {
  readonly id: string;
  readonly holder_id: string;
  readonly counter_id: string;
  readonly kept_paise: number;
}

/** A payment in cash and the person who received it. */
interface ReceivedCash {
  readonly staffId: string;
  readonly amountPaise: number;
}

export interface PossibleHolder {
  readonly staffId: string;
  /** The most of the payment that the person can hold. */
  readonly maxPaise: number;
}

/**
 * Returns the people who can hold the cash of a payment, the one who counted last first. A person
 * who handed in a part can hold what was kept. `handIns` are all since the payment, in their order.
 */
export function traceCash({ staffId, amountPaise }: ReceivedCash, handIns: readonly TracedHandIn[]): PossibleHolder[] {
  const holders = new Map([[staffId, amountPaise]]);
  for (const { holder_id: holderId, counter_id: counterId, kept_paise: keptPaise } of handIns) {
    const maxPaise = holders.get(holderId);
    if (maxPaise === undefined) continue;
    holders.delete(holderId);
    if (keptPaise > 0) holders.set(holderId, Math.min(maxPaise, keptPaise));
    if (holderId === counterId) continue;
    const countedPaise = Math.min(amountPaise, (holders.get(counterId) ?? 0) + maxPaise);
    // A map keeps the place of a key that it has: the newest counter is the last key.
    holders.delete(counterId);
    holders.set(counterId, countedPaise);
  }
  return [...holders].toReversed().map(([id, maxPaise]) => ({ staffId: id, maxPaise }));
}

/**
 * Returns by how much the expected amounts of hand-ins fall if the cash was never received, and
 * the part that was not handed in. Cash that does not exist is counted by no person: it is in what
 * the holder kept, until a hand-in expects more than the person has.
 */
export function correctHandIns({ staffId, amountPaise }: ReceivedCash, handIns: readonly TracedHandIn[]) {
  const corrections: { id: string; paise: number }[] = [];
  let leftPaise = amountPaise;
  for (const { id, holder_id: holderId, kept_paise: keptPaise } of handIns) {
    if (holderId !== staffId || leftPaise <= keptPaise) continue;
    corrections.push({ id, paise: leftPaise - keptPaise });
    leftPaise = keptPaise;
  }
  return { corrections, leftPaise };
}
