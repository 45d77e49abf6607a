/** The port to whoever takes payments online. The sandbox of demonstrations and Razorpay stand behind it in providers/. */
import type { Paise } from '../../lib/money.ts';

export interface GatewayPayment {
  /** Ours, unique: opening the same one again leads to the same place. */
  reference: string;
  amountPaise: Paise;
  orderid: string;
  /** Nobody is to be able to pay there any longer. */
  endsAt: Date;
  /** A path of this site, where the customer comes back to. */
  returnPath: string;
}

/** What a gateway says about a payment. Whether it is believed is decided in one place (service.server.ts). */
export type GatewayWord = { state: 'pending' } | { state: 'failed' } | { state: 'received'; transactionId: string; amountPaise: number };

/** Something that a gateway told us by itself, its signature proved. */
export interface GatewayEvent {
  /** The gateway's own, the same at every delivery. */
  eventId: string;
  event: string;
  reference: string;
  word: GatewayWord;
}

/** What comes in over the network, untouched: a signature covers these bytes and no others. */
export interface Delivery {
  body: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
}

export interface Gateway {
  readonly name: 'sandbox' | 'razorpay';
  /** Makes the page where it is paid. Throws when nobody knows whether that worked; asking again is safe. */
  open(payment: GatewayPayment): Promise<{ id: string; url: string }>;
  ask(id: string): Promise<GatewayWord>;
  /** 'forged' when the signature is not the gateway's; undefined for events that mean nothing to us. Only where the gateway calls us. */
  readEvent?(delivery: Delivery): GatewayEvent | 'forged' | undefined;
}
