import type { Db } from '../../db/database.server.ts';
import { succeed, type Answer } from '../../web/answer.server.ts';
import type { Gate } from '../accounts/gate.server.ts';
import { getUserDetails, profileMessages } from './contract.ts';
import { userDetails } from './service.server.ts';

export function profileRoutes(answer: Answer, { db, gate }: { db: Db; gate: Gate }) {
  answer(getUserDetails, async (request) => {
    const customer = await gate.customer(request, request.body.token);
    return succeed(profileMessages.userData, await userDetails(db, customer));
  });
}
