/** The options of a wash program: detergent, conditioner and iron. */
import * as z from 'zod/mini';
import type { ByService } from '../catalogue/contract.ts';

/** The options of a program in a request. */
export const serviceChoices = { detergent: z.enum(['', 'surfexcel']), conditioner: z.enum(['', 'softtouch']), iron: z.enum(['', 'steam']) };

export interface ServiceChoices {
  detergent: '' | 'surfexcel';
  conditioner: '' | 'softtouch';
  iron: '' | 'steam';
}

/** The options of each service (specification section 4, "Service defaults"). */
const SERVICE_DEFAULTS: ByService<ServiceChoices> = {
  wash: { detergent: 'surfexcel', conditioner: 'softtouch', iron: '' },
  'wash-iron': { detergent: 'surfexcel', conditioner: 'softtouch', iron: 'steam' },
  iron: { detergent: '', conditioner: '', iron: 'steam' },
};
const NO_CHOICES: ServiceChoices = { detergent: '', conditioner: '', iron: '' };

/** Returns the options of a program; all are empty for an unknown program. */
export const choicesOf = (programid: string): ServiceChoices => SERVICE_DEFAULTS[programid] ?? NO_CHOICES;
