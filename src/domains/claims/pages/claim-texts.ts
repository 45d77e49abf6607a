import { defineMessages, msg } from '../../../i18n/messages.ts';
import { formatDayTime } from '../../../i18n/day-time.ts';
import type { Language } from '../../../i18n/language.tsx';
import type { Claim, ClaimKind } from '../contract.ts';

export const claimKindNames = defineMessages({
  damaged: 'Something is damaged',
  missing: 'Something is missing',
  late: 'It is late',
  amount: 'The amount is wrong',
  other: 'Something else',
});

/** The question of the form for this kind. */
export const claimKindHints = defineMessages({
  damaged: 'Which piece is it, and what is wrong with it?',
  missing: 'Which piece is missing? Its colour, its size and its brand help us to find it.',
  late: 'Until when do you need your clothes, and when are you at home?',
  amount: 'Which amount, weight or payment is wrong, and what should it be?',
  other: 'What happened, and what should we do?',
} satisfies Record<ClaimKind, string>);

const STATUS_NAMES = { answered: msg('Answered'), settled: msg('Settled') };

/** Returns 'Answer by Tue, Nov 24, 6 PM' for an open claim, otherwise the name of its status. */
export const claimStatusText = (language: Language, { status, answer_by: answerBy }: Pick<Claim, 'status' | 'answer_by'>): string =>
  status === 'open' ? language.t('Answer by {time}', { time: formatDayTime(language, answerBy) }) : language.t(STATUS_NAMES[status]);
