import { defineMessages } from '../../../i18n/messages.ts';

export const ROLE_NAMES = defineMessages({ owner: 'Owner', operator: 'Operator', rider: 'Rider' });
