import { defineMessages, msg } from '../../../i18n/messages.ts';
import { formatDayTime } from '../../../i18n/day-time.ts';
import type { Language } from '../../../i18n/language.tsx';
import type { Claim } from '../contract.ts';

export const claimKindNames = defineMessages({
  damaged: 'Something is damaged',
  missing: 'Something is missing',
  late: 'It is late',
  amount: 'The amount is wrong',
  other: 'Something else',
});

const STATUS_NAMES = { answered: msg('Answered'), settled: msg('Settled') };

/** 'Answer by Tue, Nov 24, 6 PM', or the status once there is an answer. */
export const claimStatusText = (language: Language, { status, answer_by: answerBy }: Claim): string =>
  status === 'open' ? language.t('Answer by {time}', { time: formatDayTime(language, answerBy) }) : language.t(STATUS_NAMES[status]);
