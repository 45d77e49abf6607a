/**
 * Razorpay payment links: a hosted page for each payment, a webhook when it is paid, and the link's
 * status. https://razorpay.com/docs/api/payments/payment-links
 */
import { createHmac } from 'node:crypto';
import * as z from 'zod/mini';
import { requestJson, type JsonResponse } from '../../../lib/http-client.server.ts';
import { isEqualHash } from '../../../security/tokens.server.ts';
import {
  GatewayError,
  type Delivery,
  type Gateway,
  type GatewayEvent,
  type GatewayPayment,
  type GatewayStatus,
} from '../provider.server.ts';

export interface RazorpayOptions {
  keyId: string;
  keySecret: string;
  webhookSecret: string;
  url: string;
  /** Customers return to a path of this address. */
  publicUrl: string;
  timeoutMs: number;
}

const link = z.object({
  id: z.string(),
  reference_id: z.string(),
  status: z.string(),
  amount_paid: z.int(),
  short_url: z.optional(z.url({ protocol: /^https?$/ })),
  payments: z.optional(z.nullable(z.array(z.object({ payment_id: z.string(), status: z.optional(z.string()) })))),
});
type Link = z.output<typeof link>;

const links = z.object({ payment_links: z.array(link) });

const linkEvent = z.object({
  event: z.string(),
  payload: z.object({
    payment_link: z.object({ entity: link }),
    payment: z.optional(z.object({ entity: z.object({ id: z.string() }) })),
  }),
});

export function razorpay({ keyId, keySecret, webhookSecret, url, publicUrl, timeoutMs }: RazorpayOptions): Gateway {
  const authorization = `Basic ${Buffer.from(`${keyId}:${keySecret}`).toString('base64')}`;
  const request = (path: string, { body, signal }: { body?: unknown; signal?: AbortSignal | undefined } = {}) => {
    const timeout = AbortSignal.timeout(timeoutMs);
    const combined = signal ? AbortSignal.any([signal, timeout]) : timeout;
    return requestJson(`${url}/v1/payment_links${path}`, { headers: { authorization }, body, signal: combined });
  };

  const createLink = async (payment: GatewayPayment) => {
    const body = {
      amount: payment.amountPaise,
      currency: 'INR',
      accept_partial: false,
      reference_id: payment.reference,
      expire_by: Math.floor(payment.endsAt.getTime() / 1000),
      description: `Order ${payment.orderid}`,
      // Razorpay's own messages to the customer would only repeat ours.
      notify: { sms: false, email: false },
      reminder_enable: false,
      callback_url: new URL(payment.returnPath, publicUrl).href,
      callback_method: 'get',
    };
    const created = await request('', { body });
    if (created.status === 200) return z.parse(link, created.json);
    // If the response to an earlier request was lost, a link with this reference exists.
    const { payment_links: candidates } = parse(links, await request(`?reference_id=${encodeURIComponent(payment.reference)}`));
    const existing = candidates.find(({ reference_id }) => reference_id === payment.reference);
    if (!existing) throw new Error(`Razorpay responded ${created.status} and has no such link`);
    return existing;
  };

  return {
    name: 'razorpay',
    open: (payment) =>
      withGatewayErrors(async () => {
        const { id, short_url: url } = await createLink(payment);
        if (!url) throw new Error('Razorpay returned a link without a URL');
        return { id, url };
      }),
    fetchStatus: (id, signal) =>
      withGatewayErrors(async () => toGatewayStatus(parse(link, await request(`/${encodeURIComponent(id)}`, { signal })))),
    readEvent: (delivery) => readEvent(delivery, webhookSecret),
  };
}

const withGatewayErrors = <Result>(operation: () => Promise<Result>): Promise<Result> =>
  operation().catch((cause: unknown) => {
    throw new GatewayError('A request to Razorpay failed', { cause });
  });

/** Throws if the status is not 200 or the body does not match the schema. */
function parse<Shape extends z.ZodMiniType>(shape: Shape, { status, json }: JsonResponse): z.output<Shape> {
  if (status !== 200) throw new Error(`Razorpay responded ${status}`);
  return z.parse(shape, json);
}

/**
 * Returns the status of a link. It is 'pending' after a failed attempt: only paid, cancelled and
 * expired are final. Throws if the link is paid and no payment is known.
 */
function toGatewayStatus(
  { status, amount_paid, payments }: Link,
  paymentId = payments?.find((payment) => payment.status !== 'failed')?.payment_id,
): GatewayStatus {
  if (status === 'paid') {
    if (!paymentId) throw new Error('Razorpay reported a paid link without a payment');
    return { state: 'received', transactionId: paymentId, amountPaise: amount_paid };
  }
  return { state: status === 'cancelled' || status === 'expired' ? 'failed' : 'pending' };
}

/** Returns true for the signature of `body`. Its hexadecimal digits must be in lower case. */
const isSignedBy = (secret: string, body: string, signature: string) =>
  isEqualHash(Buffer.from(signature), Buffer.from(createHmac('sha256', secret).update(body).digest('hex')));

/**
 * Returns undefined for a signed event of another kind, and 'forged' for an invalid signature.
 * Throws for a signed event that Razorpay never sends: no JSON, or a paid link without a payment.
 */
function readEvent({ body, headers }: Delivery, secret: string): GatewayEvent | 'forged' | undefined {
  const signature = headers['x-razorpay-signature'];
  const eventId = headers['x-razorpay-event-id'];
  if (typeof signature !== 'string' || typeof body !== 'string' || !isSignedBy(secret, body, signature)) return 'forged';
  const { data, success } = z.safeParse(linkEvent, JSON.parse(body));
  if (!success || typeof eventId !== 'string') return undefined;
  const { payment_link: paymentLink, payment } = data.payload;
  return {
    eventId,
    event: data.event,
    reference: paymentLink.entity.reference_id,
    status: toGatewayStatus(paymentLink.entity, payment?.entity.id),
  };
}
