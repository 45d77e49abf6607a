import { describe, expect, test } from 'vitest';
import { home, place, washInManesar } from '../../../test/support/ordering.ts';
import { newCustomer, newGuest, newSession, type TestCustomer } from '../../../test/support/seed-customers.ts';
import { useProgram } from '../../../test/support/program.ts';
import { addAddress, deleteAddress, editAddress, getAddress, getAddresses, MAX_ADDRESSES, type AddressForm } from './contract.ts';

const program = useProgram();

const calls = {
  add: 'address/address.php',
  list: 'address/getaddress.php',
  one: 'address/getspecificaddress',
  edit: 'address/editaddress',
  remove: 'address/deleteaddress',
} as const;

async function add(customer: TestCustomer, change: Partial<AddressForm> = {}) {
  const response = await customer.caller.send(addAddress, { ...home, ...change, userid: customer.userid });
  if (response.response !== 'success') throw new Error(response.message);
  return response.data.addressid;
}

const list = async ({ caller, userid }: TestCustomer) => (await caller.send(getAddresses, { userid })).data ?? [];

describe('addresses', () => {
  test('adds, lists newest first, reads, edits and deletes an address', async () => {
    const meera = await newCustomer(program);
    const flat = await add(meera);
    program.clock.advance(60);
    const work = await add(meera, { address1: 'Plot 7, Sector-1', landmark: 'Manesar' });

    expect((await list(meera)).map((row) => row.addressid)).toEqual([work, flat]);
    const read = await meera.caller.send(getAddress, { userid: meera.userid, addressid: flat });
    expect(read.data).toEqual([{ ...home, addressid: flat, userid: meera.userid, area: null }]);

    const changed = { ...home, name: 'Meera and Arun', mobile: '9876509999' };
    expect(await meera.caller.send(editAddress, { ...changed, userid: meera.userid, addressid: flat })).toEqual({
      response: 'success',
      message: 'Address updated successfully',
      data: null,
    });
    // A change does not move the card: the list stays in the order in which addresses were added.
    expect((await list(meera)).map((row) => [row.addressid, row.name])).toEqual([
      [work, 'Meera Nair'],
      [flat, 'Meera and Arun'],
    ]);

    expect(await meera.caller.send(deleteAddress, { userid: meera.userid, addressid: flat })).toEqual({
      response: 'success',
      message: 'Address deleted successfully',
      data: null,
    });
    expect((await list(meera)).map((row) => row.addressid)).toEqual([work]);
  });

  test('stores text as typed, without surrounding white space', async () => {
    const meera = await newCustomer(program);
    await add(meera, { name: '  मीरा नायर ', landmark: `Behind "D'Souza" <b>&amp;</b> 🧺` });
    expect(await list(meera)).toMatchObject([{ name: 'मीरा नायर', landmark: `Behind "D'Souza" <b>&amp;</b> 🧺` }]);
  });

  test('adds an address at the path without .php and without a userid', async () => {
    const meera = await newCustomer(program);
    expect((await meera.caller.post('address/address', home)).json()).toMatchObject({
      response: 'success',
      message: 'Address added successfully',
    });
    expect((await meera.caller.post('address/getaddress', {})).json().data).toHaveLength(1);
  });

  test('returns an empty list for a customer without addresses', async () => {
    const meera = await newCustomer(program);
    expect(await meera.caller.send(getAddresses, { userid: meera.userid })).toEqual({
      response: 'success',
      message: 'Addresses',
      data: [],
    });
  });
});

describe('the area', () => {
  test('is stored, returned and changed', async () => {
    const meera = await newCustomer(program);
    const addressid = await add(meera, { area: 'manesar' });
    expect(await list(meera)).toMatchObject([{ area: 'manesar' }]);
    await meera.caller.send(editAddress, { ...home, area: 'vatika', addressid });
    const read = await meera.caller.send(getAddress, { addressid });
    expect(read.data).toMatchObject([{ area: 'vatika' }]);
  });

  test.each<[string, Partial<AddressForm>, string | null]>([
    ['remains if another field changes', { name: 'Meera and Arun', mobile: '9876509999' }, 'manesar'],
    ['is unknown after a change of address1', { address1: 'Flat 13' }, null],
    ['is unknown after a change of address2', { address2: 'Sector 83' }, null],
    ['is unknown after a change of the landmark', { landmark: 'At the park' }, null],
  ])('%s by a client that does not send it', async (_what, change, area) => {
    const meera = await newCustomer(program);
    const addressid = await add(meera, { area: 'manesar' });
    await meera.caller.send(editAddress, { ...home, ...change, addressid });
    expect(await list(meera)).toMatchObject([{ ...change, area }]);
  });
});

const text = (message: string, code: string) => ({
  message,
  code,
  good: ['abc', ' a b ', 'x'.repeat(200), 'नया', '🧺🧺🧺'],
  bad: ['', 'ab', '   ', ' ab ', 'x'.repeat(201), '🧺🧺', 'a\u200Bb', '\u3164\u2800\u115F', null, 7, ['abc'], undefined],
});

/** A name needs a letter or a digit. */
const nameText = (message: string, code: string) => {
  const { good, bad, ...error } = text(message, code);
  return { ...error, good: [...good.slice(0, -1), '🧺 7'], bad: [...bad, '🧺🧺🧺', '\u0301\u0301\u0301', '...'] };
};

/**
 * Valid and invalid values of each field, and the error of an invalid one. Specification section 5.
 */
const rules: Record<
  keyof typeof home | 'area',
  { message: string; code: string; editMessage?: string; editCode?: string; good: unknown[]; bad: unknown[] }
> = {
  name: nameText('Name value is invalid!', 'invalid-address-name'),
  address1: text('Address 1 value is invalid!', 'invalid-address-1'),
  address2: text('Address 2 value is invalid!', 'invalid-address-2'),
  landmark: text('Landmark value is invalid!', 'invalid-landmark'),
  pincode: {
    message: 'Pincode value is invalid!',
    code: 'invalid-pincode',
    good: ['122052'],
    bad: ['', '12205', '1220522', '122051', 122_052, null, undefined],
  },
  city: {
    message: 'City value is invalid!',
    code: 'invalid-city',
    good: ['Gurugram'],
    bad: ['', 'Gu', 'Delhi', 'gurugram', null, undefined],
  },
  area: {
    message: 'Please select the area of this address',
    code: 'invalid-area',
    good: ['manesar', 'vatika', null, undefined],
    bad: ['', 'none', 'Manesar', 'gurugram', 7],
  },
  state: { message: 'State value is invalid!', code: 'invalid-state', good: ['Haryana'], bad: ['', 'HR', 'Punjab', null, undefined] },
  mobile: {
    message: 'Please enter a valid mobile number without any country code !',
    code: 'invalid-address-mobile',
    editMessage: 'Mobile number is invalid',
    editCode: 'invalid-edited-mobile',
    good: ['9876501234', '0000000000'],
    bad: [
      '',
      '987650123',
      '98765012345',
      '+919876501234',
      '98765 01234',
      '98765o1234',
      '९८७६५०१२३४',
      '9876501234\n',
      9_876_501_234,
      undefined,
    ],
  },
};

describe.each(Object.entries(rules))('the field %s', (field, { message, code, editMessage, editCode, good, bad }) => {
  test.each(good)('accepts %j', async (value) => {
    const meera = await newCustomer(program);
    expect((await meera.caller.post(calls.add, { ...home, [field]: value })).json()).toMatchObject({ response: 'success' });
    const [saved] = await list(meera);
    const edit = await meera.caller.post(calls.edit, { ...home, [field]: value, addressid: saved?.addressid });
    expect(edit.json()).toMatchObject({ response: 'success' });
  });

  test.each(bad)('rejects %j', async (value) => {
    const meera = await newCustomer(program);
    const addressid = await add(meera);
    const added = await meera.caller.post(calls.add, { ...home, [field]: value });
    expect([added.statusCode, added.json()]).toEqual([400, { response: 'failed', message, code, params: {}, data: null }]);
    const edited = await meera.caller.post(calls.edit, { ...home, [field]: value, addressid });
    expect([edited.statusCode, edited.json()]).toEqual([
      400,
      { response: 'error', message: editMessage ?? message, code: editCode ?? code, params: {}, data: null },
    ]);
    expect(await list(meera)).toEqual([{ ...home, addressid, userid: meera.userid, area: null }]);
  });
});

describe('access control (docs/security.md, I1)', () => {
  test("returns the same bytes for another customer's id and for an unknown id, and changes nothing", async () => {
    const [owner, other] = await Promise.all([newCustomer(program), newCustomer(program)]);
    const theirs = await add(owner);
    const business = {
      [calls.one]: '{"response":"error","message":"Address not found","code":"address-not-found","params":{},"data":null}',
      [calls.edit]: '{"response":"error","message":"Address not found","code":"address-not-found","params":{},"data":null}',
      [calls.remove]:
        '{"response":"error","message":"Something went wrong while deleting address","code":"address-not-deleted","params":{},"data":null}',
    };
    for (const [path, expected] of Object.entries(business)) {
      for (const addressid of [theirs, 'NOSUCHADDRESS0000000', "' or 1=1 --"]) {
        const response = await other.caller.post(path, { ...home, name: 'Not mine', userid: other.userid, addressid });
        expect([path, addressid, response.statusCode, response.payload]).toEqual([path, addressid, 200, expected]);
      }
    }
    expect(await list(other)).toEqual([]);
    expect(await list(owner)).toEqual([{ ...home, addressid: theirs, userid: owner.userid, area: null }]);
  });

  test("rejects every call without a session, and with an expired, forged, guest's or other customer's session", async () => {
    const [owner, other, guest] = await Promise.all([newCustomer(program), newCustomer(program), newGuest(program)]);
    const addressid = await add(owner);
    const dead = await newSession(program, owner.userid, 'customer');
    await program.db.updateTable('sessions').set({ expires_at: program.clock.now() }).where('customer_id', '=', owner.userid).execute();
    const alive = await newSession(program, owner.userid, 'customer');
    const forged = program.caller();
    forged.cookies.set('session', 'a'.repeat(43));

    for (const caller of [program.caller(), dead, guest.caller, other.caller, forged]) {
      for (const path of Object.values(calls)) {
        const response = await caller.post(path, { ...home, name: 'Not mine', userid: owner.userid, addressid });
        const status = path === calls.add ? 'failed' : 'error';
        expect([path, response.statusCode, response.json()]).toEqual([
          path,
          401,
          { response: status, message: 'Please login first', code: 'login-required', params: {}, data: null },
        ]);
      }
    }
    expect(await list({ ...owner, caller: alive })).toEqual([{ ...home, addressid, userid: owner.userid, area: null }]);
    expect(await list(other)).toEqual([]);
  });

  test('ignores body fields that the contract does not define (I2)', async () => {
    const [meera, other] = await Promise.all([newCustomer(program), newCustomer(program)]);
    const extra = {
      customer_id: other.userid,
      id: 'CHOSEN',
      created_at: '1970-01-01',
      wallet: 1e6,
      role: 'staff',
      __proto__: { userid: other.userid },
    };
    const added = await meera.caller.post(calls.add, { ...home, ...extra });
    const { addressid } = added.json().data;
    expect(addressid).not.toBe('CHOSEN');
    await meera.caller.post(calls.edit, { ...home, ...extra, addressid });
    expect(await program.db.selectFrom('addresses').selectAll().where('id', '=', addressid).execute()).toEqual([
      { ...home, id: addressid, customer_id: meera.userid, created_at: program.clock.now(), area: null },
    ]);
    expect(await list(other)).toEqual([]);
  });

  test('creates ids that cannot be guessed', async () => {
    const meera = await newCustomer(program);
    const ids = [await add(meera), await add(meera)];
    for (const id of ids) expect(id).toMatch(/^[0-9A-Z]{20}$/);
    expect(new Set(ids).size).toBe(2);
  });
});

test(`stores at most ${MAX_ADDRESSES} addresses of a customer under concurrent calls`, async () => {
  const [meera, other] = await Promise.all([newCustomer(program), newCustomer(program)]);
  const send = () => meera.caller.send(addAddress, home);
  const responses = await Promise.all(Array.from({ length: MAX_ADDRESSES + 20 }, send));
  const outcomes = responses.map((response) => `${response.response}: ${response.message}`);
  expect(new Set(responses.map((response) => ('code' in response ? response.code : '')))).toEqual(new Set(['', 'too-many-addresses']));
  expect(outcomes.filter((outcome) => outcome === 'success: Address added successfully')).toHaveLength(MAX_ADDRESSES);
  const tooMany = `failed: You have ${MAX_ADDRESSES} saved addresses, please delete one before adding another`;
  expect(outcomes.filter((outcome) => outcome === tooMany)).toHaveLength(20);
  expect(await list(meera)).toHaveLength(MAX_ADDRESSES);

  await add(other);
  const [first] = await list(meera);
  await meera.caller.send(deleteAddress, { addressid: first?.addressid ?? '' });
  await add(meera);
  expect(await list(meera)).toHaveLength(MAX_ADDRESSES);
});

test('deletes an address once under concurrent calls', async () => {
  const meera = await newCustomer(program);
  const addressid = await add(meera);
  const responses = await Promise.all(Array.from({ length: 5 }, () => meera.caller.send(deleteAddress, { addressid })));
  expect(responses.filter(({ response }) => response === 'success')).toHaveLength(1);
  expect(await list(meera)).toEqual([]);
});

test('an order keeps its copy of an address after the address is edited and deleted', async () => {
  const meera = await newCustomer(program);
  const addressid = await add(meera);
  const { orderid } = await place({ ...meera, order: { ...washInManesar, userid: meera.userid, addressid } });
  const copy = Object.fromEntries(Object.entries(home).map(([field, value]) => [`ship_${field}`, value]));
  await meera.caller.send(editAddress, { ...home, address1: 'Moved away', addressid });
  await meera.caller.send(deleteAddress, { addressid });
  expect(await list(meera)).toEqual([]);
  expect(await program.db.selectFrom('orders').selectAll().where('id', '=', orderid).execute()).toMatchObject([copy]);
});

test('the typed client throws CallRefused for a rejected call', async () => {
  const stranger = program.caller();
  await expect(stranger.send(getAddresses, {})).rejects.toMatchObject({
    name: 'CallRefused',
    status: 401,
    code: 'login-required',
    message: 'Please login first',
  });
});
