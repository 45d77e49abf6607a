/**
 * The port to a payment gateway. Its adapters are in providers/: Razorpay, and a sandbox for
 * demonstrations.
 */
import type { Paise } from '../../lib/money.ts';

export interface GatewayPayment {
  /** Our own, unique: opening the same reference again returns the same page. */
  reference: string;
  amountPaise: Paise;
  orderid: string;
  /** The page accepts no payment after this time. */
  endsAt: Date;
  /** The path on this site that the gateway sends the customer back to. */
  returnPath: string;
}

/** The status of a payment as its gateway reports it. The service decides whether to accept it. */
export type GatewayStatus = { state: 'pending' } | { state: 'failed' } | { state: 'received'; transactionId: string; amountPaise: number };

/** A webhook event with a valid signature. */
export interface GatewayEvent {
  /** Assigned by the gateway, the same at every delivery. */
  eventId: string;
  event: string;
  reference: string;
  status: GatewayStatus;
}

/** A webhook request as received: the signature covers exactly these bytes. */
export interface Delivery {
  body: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
}

/**
 * The gateway did not respond, or not with a usable response. Whether it did what was requested is
 * unknown.
 */
export class GatewayError extends Error {
  override name = 'GatewayError';
}

export interface Gateway {
  readonly name: 'sandbox' | 'razorpay';
  /** Creates the payment page. Throws `GatewayError`; calling it again is safe. */
  open(payment: GatewayPayment): Promise<{ id: string; url: string }>;
  /** Throws `GatewayError`. `signal` aborts the request. */
  fetchStatus(id: string, signal?: AbortSignal): Promise<GatewayStatus>;
  /** Returns undefined for events that do not concern us. Only gateways with a webhook have it. */
  readEvent?(delivery: Delivery): GatewayEvent | 'forged' | undefined;
}
