/** A stand-in for Razorpay's payment links and their signed webhook events. */
import { createHmac, randomBytes } from 'node:crypto';
import { startStandIn, type StandInReply } from './stand-in.ts';

export const RAZORPAY_KEY = { id: 'rzp_test_stand_in', secret: 'key secret of the tests', webhook: 'webhook secret of the tests' };

export interface StandInLink {
  id: string;
  reference_id: string;
  amount: number;
  amount_paid: number;
  status: 'created' | 'paid' | 'cancelled' | 'expired';
  short_url: string;
  callback_url: string;
  /** Seconds since 1970. */
  expire_by: number;
  payments: { payment_id: string; amount: number; status: string }[] | null;
}

const id = (prefix: string) => `${prefix}_${randomBytes(7).toString('hex')}`;

export async function startRazorpay() {
  const links: StandInLink[] = [];
  /** Responses instead of the regular one, one for each request. The last one repeats. */
  let overrides: StandInReply[] = [];
  /** Whether it executes the request despite such a response. */
  let worksAnyway = false;
  let heldUntil: Promise<void> | undefined;

  const createLink = (body: Record<string, unknown>): StandInReply => {
    const reference_id = String(body.reference_id);
    if (links.some((link) => link.reference_id === reference_id)) {
      const description = `payment link with given reference_id (${reference_id}) already exists`;
      return { status: 400, json: { error: { code: 'BAD_REQUEST_ERROR', description } } };
    }
    const link: StandInLink = {
      id: id('plink'),
      reference_id,
      amount: Number(body.amount),
      amount_paid: 0,
      status: 'created',
      short_url: `https://rzp.example/i/${randomBytes(4).toString('hex')}`,
      callback_url: String(body.callback_url),
      expire_by: Number(body.expire_by),
      payments: null,
    };
    links.push(link);
    return { status: 200, json: link };
  };

  const standIn = await startStandIn(async ({ path, headers, body }) => {
    await heldUntil;
    const expected = `Basic ${Buffer.from(`${RAZORPAY_KEY.id}:${RAZORPAY_KEY.secret}`).toString('base64')}`;
    if (headers.authorization !== expected) return { status: 401, json: { error: { code: 'BAD_REQUEST_ERROR' } } };
    const override = overrides.length > 1 ? overrides.shift() : overrides[0];
    if (override && !worksAnyway) return override;
    const { pathname, searchParams } = new URL(path, 'http://razorpay');
    const [, , , linkId] = pathname.split('/');
    const link = links.find((candidate) => candidate.id === linkId);
    const reference = searchParams.get('reference_id');
    const response: StandInReply = body
      ? createLink(body as Record<string, unknown>)
      : reference !== null
        ? { status: 200, json: { payment_links: links.filter((link) => link.reference_id === reference) } }
        : link
          ? { status: 200, json: link }
          : { status: 400, json: { error: { description: 'The id provided does not exist' } } };
    return override ?? response;
  });

  const linkOf = (reference: string) => {
    const link = links.find(({ reference_id }) => reference_id === reference);
    if (!link) throw new Error('no link has this reference');
    return link;
  };

  return {
    ...standIn,
    /** Settings of a program that uses this gateway. */
    settings: {
      PAYMENT_GATEWAY: 'razorpay',
      RAZORPAY_KEY_ID: RAZORPAY_KEY.id,
      RAZORPAY_KEY_SECRET: RAZORPAY_KEY.secret,
      RAZORPAY_WEBHOOK_SECRET: RAZORPAY_KEY.webhook,
      RAZORPAY_URL: standIn.url,
      PUBLIC_URL: 'http://laundry.example',
    },
    links,
    linkOf,
    /** `until` holds every response back until it resolves. */
    behave(next: StandInReply[] = [], { working = false, until }: { working?: boolean; until?: Promise<void> } = {}) {
      heldUntil = until;
      overrides = [...next];
      worksAnyway = working;
    },
    /** Marks the link as paid by the customer. */
    pay(link: StandInLink, amount = link.amount) {
      link.status = 'paid';
      link.amount_paid = amount;
      link.payments = [{ payment_id: id('pay'), amount, status: 'captured' }];
    },
    end(link: StandInLink, status: 'cancelled' | 'expired') {
      link.status = status;
    },
  };
}

export interface SignedEvent {
  body: string;
  headers: Record<string, string>;
}

/** Returns a webhook event. Its signature is invalid with another secret. */
export function eventOf(
  link: StandInLink,
  { event = `payment_link.${link.status}`, secret = RAZORPAY_KEY.webhook, eventId = id('evt') } = {},
): SignedEvent {
  const payment = link.payments?.[0];
  const body = JSON.stringify({
    entity: 'event',
    account_id: 'acc_standin',
    event,
    contains: ['payment_link', 'order', 'payment'],
    payload: {
      payment_link: { entity: link },
      ...(payment && { payment: { entity: { id: payment.payment_id, amount: payment.amount, status: payment.status } } }),
    },
    created_at: 1_795_000_000,
  });
  const signature = createHmac('sha256', secret).update(body).digest('hex');
  return { body, headers: { 'x-razorpay-signature': signature, 'x-razorpay-event-id': eventId } };
}
