import type { Db } from '../../db/database.server.ts';
import { succeed, type RegisterRoute } from '../../contract/route.server.ts';
import type { Authentication } from '../sessions/authentication.server.ts';
import { encodeOffer, getOffers, offerMessages } from './contract.ts';
import { listOffers } from './service.server.ts';

export function offerRoutes(registerRoute: RegisterRoute, { db, authentication }: { db: Db; authentication: Authentication }) {
  registerRoute(getOffers, async (request) => {
    const customer = await authentication.requireCustomer(request, request.body.userid);
    const offers = await listOffers(db, customer);
    return succeed(offerMessages.listed, offers.map(encodeOffer));
  });
}
