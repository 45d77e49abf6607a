/** The sender of messages about orders, with a stand-in for MSG91 as its gateway. */
import { msg91 } from '../../src/domains/messages/providers/msg91.server.ts';
import { NOTIFICATION_KINDS } from '../../src/domains/notifications/contract.ts';
import { templates } from '../../src/domains/notifications/rules.ts';
import { sendNext } from '../../src/domains/notifications/service.server.ts';
import { MSG91_KEY, startMsg91 } from './msg91-stand-in.ts';
import type { ProgramUnderTest } from './seed-customers.ts';
import { SHORT_TIMEOUTS } from './stand-in.ts';

/** The site that the texts name. */
export const MESSAGE_SITE = { brand: 'Dhulai', url: 'https://laundry.example' };

type SenderOptions = Parameters<typeof sendNext>[0];
export type MessageGateway = Awaited<ReturnType<typeof startMsg91>>;

/** Starts a stand-in with the template of each kind of message. */
export const startMessageGateway = (): Promise<MessageGateway> => startMsg91('code ##code##', templates(MESSAGE_SITE));

/** The ids of these templates: each is its kind. */
export const TEMPLATE_IDS: Readonly<Record<string, string>> = Object.fromEntries(NOTIFICATION_KINDS.map((kind) => [kind, kind]));

const throwFailure = (error: unknown) => {
  throw error;
};

interface SenderChanges {
  /** The ids of the templates by kind. Default: all. */
  templateIds?: Readonly<Record<string, string | undefined>>;
  /** Default: throws the error. */
  onFailure?: (error: unknown) => void;
}

/** Returns the options of a sender that sends the messages of the program to this gateway. */
export const senderOptions = (
  { db, clock }: Pick<ProgramUnderTest, 'db' | 'clock'>,
  { url }: MessageGateway,
  { templateIds = TEMPLATE_IDS, onFailure = throwFailure }: SenderChanges = {},
): SenderOptions => ({
  db,
  clock,
  site: MESSAGE_SITE,
  timeoutMs: SHORT_TIMEOUTS.attemptMs,
  onFailure,
  gateway: msg91({ authKey: MSG91_KEY, templates: templateIds, url, attemptMs: SHORT_TIMEOUTS.attemptMs }),
});

/** Sends the messages that are due. */
export async function sendDueMessages(options: SenderOptions) {
  while ((await sendNext(options)) !== 'idle');
}

/** Returns the texts that the phone of this customer has received. */
export const receivedTexts = ({ phones }: MessageGateway, { mobile }: { mobile: string }): string[] =>
  phones.filter((phone) => phone.mobile === `91${mobile}`).map(({ text }) => text);
