import type { Db } from '../../db/database.server.ts';
import { succeed, type Answer } from '../../contract/route.server.ts';
import type { Gate } from '../sessions/authentication.server.ts';
import { getOffers, offerMessages } from './contract.ts';
import { listOffers } from './service.server.ts';

export function offerRoutes(answer: Answer, { db, gate }: { db: Db; gate: Gate }) {
  answer(getOffers, async (request) => {
    const customer = await gate.customer(request, request.body.userid);
    return succeed(offerMessages.listed, await listOffers(db, customer));
  });
}
