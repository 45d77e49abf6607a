import type { Clock } from '../../lib/clock.ts';
import type { Db } from '../../db/database.server.ts';
import { fail, succeed, type RegisterRoute } from '../../contract/route.server.ts';
import type { Authentication, SignedInCustomer } from '../sessions/authentication.server.ts';
import {
  addAddress,
  addressError,
  addressMessages as messages,
  deleteAddress,
  editAddress,
  getAddress,
  getAddresses,
  MAX_ADDRESSES,
  type Address,
} from './contract.ts';
import { saveAddress } from './service.server.ts';
import { listAddresses, deleteAddressRow, findAddress, updateAddress, type AddressRow } from './store.server.ts';

export function addressRoutes(
  registerRoute: RegisterRoute,
  { db, clock, authentication }: { db: Db; clock: Clock; authentication: Authentication },
) {
  registerRoute(addAddress, async (request) => {
    const { userid, ...address } = request.body;
    const customer = await authentication.requireCustomer(request, userid);
    const addressid = await saveAddress(db, customer, address, clock.now());
    return addressid ? succeed(messages.added, { addressid }) : fail(addressError('too-many-addresses', { most: MAX_ADDRESSES }));
  });

  registerRoute(getAddresses, async (request) => {
    const customer = await authentication.requireCustomer(request, request.body.userid);
    const rows = await listAddresses(db, customer);
    return succeed(
      messages.listed,
      rows.map((row) => toResponseAddress(customer, row)),
    );
  });

  registerRoute(getAddress, async (request) => {
    const customer = await authentication.requireCustomer(request, request.body.userid);
    const row = await findAddress(db, customer, request.body.addressid);
    return row ? succeed(messages.listed, [toResponseAddress(customer, row)]) : fail(addressError('address-not-found'));
  });

  registerRoute(editAddress, async (request) => {
    const { userid, addressid, ...address } = request.body;
    const customer = await authentication.requireCustomer(request, userid);
    return (await updateAddress(db, customer, addressid, address))
      ? succeed(messages.updated, null)
      : fail(addressError('address-not-found'));
  });

  registerRoute(deleteAddress, async (request) => {
    const customer = await authentication.requireCustomer(request, request.body.userid);
    const deleted = await deleteAddressRow(db, customer, request.body.addressid);
    return deleted ? succeed(messages.deleted, null) : fail(addressError('address-not-deleted'));
  });
}

const toResponseAddress = (customer: SignedInCustomer, { id, ...address }: AddressRow): Address => ({
  addressid: id,
  userid: customer.id,
  ...address,
});
