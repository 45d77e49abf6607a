import { fail, succeed, type Answer } from '../../contract/route.server.ts';
import type { Browsers } from '../verification/authentication.server.ts';
import { resetPassword, type AccountParts } from '../accounts/service.server.ts';
import { getUserDetails, profileMessages, updateUserDetails } from './contract.ts';
import { changeDetails, userDetails } from './service.server.ts';

export function profileRoutes(answer: Answer, { browsers, ...accounts }: AccountParts & { browsers: Browsers }) {
  const { db, gate } = accounts;

  answer(getUserDetails, async (request) => {
    const customer = await gate.customer(request, request.body.token);
    return succeed(profileMessages.userData, await userDetails(db, customer));
  });

  answer(updateUserDetails, async (request, reply) => {
    const { token, password, name, email } = request.body;
    if (password === undefined) return changeDetails(db, await gate.customer(request, token), { name, email });
    const reset = await resetPassword(accounts, browsers.of(request), { handle: token, password });
    if (!reset) return fail(profileMessages.startAgain);
    gate.rememberDevice(reply, reset.mobile);
    return succeed(profileMessages.updated, null);
  });
}
