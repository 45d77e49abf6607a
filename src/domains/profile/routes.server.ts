import { fail, respond, succeed, type RegisterRoute } from '../../contract/route.server.ts';
import type { Browsers } from '../verification/authentication.server.ts';
import { limitNewPasswords } from '../accounts/password-service.server.ts';
import { resetPassword, type AccountDependencies } from '../accounts/service.server.ts';
import { changeMessageSettings, getMessageSettings, getUserDetails, profileError, profileMessages, updateUserDetails } from './contract.ts';
import { changeDetails, replaceMessageSettings, readMessageSettings, userDetails } from './service.server.ts';

export function profileRoutes(registerRoute: RegisterRoute, { browsers, ...accounts }: AccountDependencies & { browsers: Browsers }) {
  const { db, authentication } = accounts;

  registerRoute(getUserDetails, async (request) => {
    const customer = await authentication.requireCustomer(request, request.body.token);
    return succeed(profileMessages.userData, await userDetails(db, customer));
  });

  registerRoute(getMessageSettings, async (request) => {
    const customer = await authentication.requireCustomer(request, request.body.userid);
    return succeed(profileMessages.messageSettings, await readMessageSettings(db, customer));
  });

  registerRoute(changeMessageSettings, async (request) => {
    const { userid, ...settings } = request.body;
    const customer = await authentication.requireCustomer(request, userid);
    await replaceMessageSettings(db, customer, settings);
    return succeed(profileMessages.messageSettingsChanged, settings);
  });

  registerRoute(updateUserDetails, async (request, reply) => {
    const { token, password, name, email } = request.body;
    if (password === undefined) {
      const customer = await authentication.requireCustomer(request, token);
      return respond(profileMessages.updated, await changeDetails(db, customer, { name, email }));
    }
    const browser = browsers.find(request);
    const device = await limitNewPasswords(accounts, browser, () => resetPassword(accounts, request, browser, { handle: token, password }));
    if (!device) return fail(profileError('reset-expired'));
    device.setCookie(reply);
    return succeed(profileMessages.updated, null);
  });
}
