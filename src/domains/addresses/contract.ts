/** Saved addresses and the guest's address. Specification sections 2, 3, 5, 7 and 8. */
import * as z from 'zod/mini';
import { defineMessages } from '../../i18n/messages.ts';
import { defineErrors } from '../../contract/errors.ts';
import { expectedUserid, defineCall, resourceId, noData, personName, singleLineText } from '../../contract/define-call.ts';
import { AREAS } from '../catalogue/contract.ts';

/** The only location that is served. Customers cannot edit it (specification section 3). */
export const SERVED_LOCATION = { pincode: '122052', city: 'Gurugram', state: 'Haryana' } as const;

/** The maximum number of saved addresses of a customer. */
export const MAX_ADDRESSES = 50;

export const addressMessages = defineMessages({
  added: 'Address added successfully',
  addFailed: 'Something went wrong, try again later',
  deleted: 'Address deleted successfully',
  updated: 'Address updated successfully',
  updateFailed: 'Something went wrong, try again later',
  listed: 'Addresses',
  none: "You haven't added any address yet!",
});

const fieldErrors = defineErrors({
  'invalid-address-name': 'Name value is invalid!',
  'invalid-address-1': 'Address 1 value is invalid!',
  'invalid-address-2': 'Address 2 value is invalid!',
  'invalid-landmark': 'Landmark value is invalid!',
  'invalid-pincode': 'Pincode value is invalid!',
  'invalid-city': 'City value is invalid!',
  'invalid-state': 'State value is invalid!',
  'invalid-area': 'Please select the area of this address',
  'invalid-address-mobile': 'Please enter a valid mobile number without any country code !',
  'invalid-edited-mobile': 'Mobile number is invalid',
});

/** The errors of the form's fields, for the form and for every call with an address in its body. */
export const addressFieldErrors = fieldErrors.texts;

export const addressError = defineErrors({
  'too-many-addresses': 'You have {most} saved addresses, please delete one before adding another',
  'address-not-deleted': 'Something went wrong while deleting address',
  'address-not-found': 'Address not found',
});

/** A field with only one valid value. */
const fixed = (value: string, code: string) => z.string(code).check(z.refine((text) => text === value, code));

const { code } = fieldErrors;

/** The schemas of the fields. `mobileError` is the error code of an invalid mobile. */
const fields = (mobileError: string) => ({
  name: personName(code('invalid-address-name'), { min: 3 }),
  mobile: z.string(mobileError).check(z.regex(/^[0-9]{10}$/, mobileError)),
  address1: singleLineText(code('invalid-address-1'), { min: 3 }),
  address2: singleLineText(code('invalid-address-2'), { min: 3 }),
  landmark: singleLineText(code('invalid-landmark'), { min: 3 }),
  pincode: fixed(SERVED_LOCATION.pincode, code('invalid-pincode')),
  city: fixed(SERVED_LOCATION.city, code('invalid-city')),
  state: fixed(SERVED_LOCATION.state, code('invalid-state')),
});

const addedFields = fields(code('invalid-address-mobile'));
const editedFields = fields(code('invalid-edited-mobile'));

/**
 * Calls accept an address without its area: the specification does not have this field. Null or
 * missing means unknown.
 */
const area = z.optional(z.nullable(z.enum(AREAS, code('invalid-area'))));

/** The forms of the site ask for the area. The input is '' until one is selected. */
const selectedArea = z.pipe(z.string(), z.enum(AREAS, code('invalid-area')));

/** The rules of the address and guest form. */
export const addressRules = { ...addedFields, area: selectedArea };
export const editedAddressRules = { ...editedFields, area: selectedArea };
export type AddressRules = typeof addressRules;

export const addressForm = z.object({ ...addedFields, area });
export type AddressForm = z.output<typeof addressForm>;

/**
 * The fields of an address in a response, also of an order's copy. An order has an area of its own.
 */
export const addressShape = {
  name: z.string(),
  mobile: z.string(),
  address1: z.string(),
  address2: z.string(),
  landmark: z.string(),
  pincode: z.string(),
  city: z.string(),
  state: z.string(),
} satisfies Record<keyof typeof addedFields, z.ZodMiniType>;

/**
 * The fields of the specification, also columns of the table `addresses`. The columns of an order's
 * copy begin with `ship_`.
 */
export const ADDRESS_FIELDS = Object.keys(addressShape) as (keyof typeof addressShape)[];

const address = z.object({ addressid: z.string(), userid: z.string(), ...addressShape, area: z.nullable(z.enum(AREAS)) });
export type Address = z.output<typeof address>;

export const addAddress = defineCall({
  method: 'POST',
  path: 'address/address.php',
  summary: 'Save an address. Its area is optional; orders to an address with an area are for that area.',
  caller: 'customer',
  failure: 'failed',
  errors: { ...addressError.pick('too-many-addresses'), ...addressFieldErrors },
  body: z.object({ ...addedFields, area, userid: expectedUserid }),
  data: z.object({ addressid: z.string() }),
});

export const getAddresses = defineCall({
  method: 'POST',
  path: 'address/getaddress.php',
  summary: 'All saved addresses of the customer, newest first.',
  caller: 'customer',
  body: z.object({ userid: expectedUserid }),
  data: z.array(address),
});

export const getAddress = defineCall({
  method: 'POST',
  path: 'address/getspecificaddress',
  summary: 'One saved address, as a list of one.',
  caller: 'customer',
  errors: addressError.pick('address-not-found'),
  body: z.object({ userid: expectedUserid, addressid: resourceId }),
  data: z.array(address),
});

export const editAddress = defineCall({
  method: 'POST',
  path: 'address/editaddress',
  summary: 'Change a saved address. Without an area, the stored area remains if the lines of the address are the same.',
  caller: 'customer',
  errors: { ...addressError.pick('address-not-found'), ...addressFieldErrors },
  body: z.object({ ...editedFields, area, userid: expectedUserid, addressid: resourceId }),
  data: noData,
});

export const deleteAddress = defineCall({
  method: 'POST',
  path: 'address/deleteaddress',
  summary: 'Delete a saved address. Orders keep their own copy.',
  caller: 'customer',
  errors: addressError.pick('address-not-deleted'),
  body: z.object({ userid: expectedUserid, addressid: resourceId }),
  data: noData,
});
