/**
 * The port to a payment gateway. Its adapters are in providers/: Razorpay, and a sandbox for
 * demonstrations.
 */
import type { Paise } from '../../lib/money.ts';

/** The time for one request to the gateway. */
export const GATEWAY_TIMEOUT_MS = 8000;

export interface GatewayPayment {
  /** Unique. A second `open` with the same reference returns the same page. */
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

/** A webhook request as received. The signature covers the exact bytes of the body. */
export interface Delivery {
  body: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** The gateway returned no usable response. Whether it processed the request is unknown. */
export class GatewayError extends Error {
  override name = 'GatewayError';
}

export interface Gateway {
  readonly name: 'sandbox' | 'razorpay';
  /** Creates the payment page. Throws `GatewayError`. Idempotent for each reference. */
  open(payment: GatewayPayment): Promise<{ id: string; url: string }>;
  /** Returns the status of a page by its id at the gateway. Throws `GatewayError`. */
  fetchStatus(id: string, signal?: AbortSignal): Promise<GatewayStatus>;
  /**
   * Validates and parses a webhook request. Returns undefined for irrelevant events. Only gateways
   * with a webhook implement it.
   */
  readEvent?(delivery: Delivery): GatewayEvent | 'forged' | undefined;
}
