import type { Clock } from '../../lib/clock.ts';
import type { Db } from '../../db/database.server.ts';
import { fail, succeed, type Answer } from '../../contract/route.server.ts';
import type { Gate, SignedInCustomer } from '../sessions/authentication.server.ts';
import {
  addAddress,
  addressMessages as messages,
  deleteAddress,
  editAddress,
  getAddress,
  getAddresses,
  type Address,
  type AddressForm,
} from './contract.ts';
import { saveAddress } from './service.server.ts';
import { addressesOf, addressOf, deleteAddressRow, updateAddress } from './store.server.ts';

export function addressRoutes(answer: Answer, { db, clock, gate }: { db: Db; clock: Clock; gate: Gate }) {
  answer(addAddress, async (request) => {
    const { userid, ...address } = request.body;
    const customer = await gate.customer(request, userid);
    const addressid = await saveAddress(db, customer, address, clock.now());
    return addressid ? succeed(messages.added, { addressid }) : fail(messages.tooMany);
  });

  answer(getAddresses, async (request) => {
    const customer = await gate.customer(request, request.body.userid);
    const rows = await addressesOf(db, customer);
    return succeed(
      messages.listed,
      rows.map((row) => onWire(customer, row)),
    );
  });

  answer(getAddress, async (request) => {
    const customer = await gate.customer(request, request.body.userid);
    const row = await addressOf(db, customer, request.body.addressid).executeTakeFirst();
    return row ? succeed(messages.listed, [onWire(customer, row)]) : fail(messages.notFound);
  });

  answer(editAddress, async (request) => {
    const { userid, addressid, ...address } = request.body;
    const customer = await gate.customer(request, userid);
    return (await updateAddress(db, customer, addressid, address)) ? succeed(messages.updated, null) : fail(messages.notFound);
  });

  answer(deleteAddress, async (request) => {
    const customer = await gate.customer(request, request.body.userid);
    const gone = await deleteAddressRow(db, customer, request.body.addressid);
    return gone ? succeed(messages.deleted, null) : fail(messages.deleteFailed);
  });
}

const onWire = (customer: SignedInCustomer, { id, ...address }: AddressForm & { id: string }): Address => ({
  addressid: id,
  userid: customer.id,
  ...address,
});
