/** The customer's own details. Specification sections 3, 5 and 7. */
import * as z from 'zod/mini';
import { claimedUserid, defineCall, rupees } from '../../web/call.ts';

export const profileMessages = {
  userData: 'User Data',
} as const;

export const getUserDetails = defineCall({
  method: 'POST',
  path: 'login/getuserdetails.php',
  summary: "The session's own details; `token` is the userid.",
  caller: 'customer',
  body: z.object({ token: claimedUserid }),
  data: z.object({ name: z.string(), email: z.string(), mobile: z.string(), userid: z.string(), wallet: rupees }),
});
