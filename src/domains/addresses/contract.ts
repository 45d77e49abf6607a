/** Saved addresses and the guest's address. Specification sections 2, 3, 5, 7 and 8. */
import * as z from 'zod/mini';
import { fill, type Messages } from '../../i18n/messages.ts';
import { claimedUserid, defineCall, givenId, noData, typedText } from '../../contract/define-call.ts';

/** The one place served; not editable (specification section 3). */
export const SERVED_PLACE = { pincode: '122052', city: 'Gurugram', state: 'Haryana' } as const;

/** More than any household needs; a limit on everything. */
export const MOST_ADDRESSES = 50;

export const addressMessages = {
  name: 'Name value is invalid!',
  address1: 'Address 1 value is invalid!',
  address2: 'Address 2 value is invalid!',
  landmark: 'Landmark value is invalid!',
  pincode: 'Pincode value is invalid!',
  city: 'City value is invalid!',
  state: 'State value is invalid!',
  mobile: 'Please enter a valid mobile number without any country code !',
  mobileWhenEditing: 'Mobile number is invalid',
  added: 'Address added successfully',
  addFailed: 'Something went wrong, try again later',
  tooMany: fill('You have {most} saved addresses, please delete one before adding another', { most: MOST_ADDRESSES }),
  deleted: 'Address deleted successfully',
  deleteFailed: 'Something went wrong while deleting address',
  updated: 'Address updated successfully',
  updateFailed: 'Something went wrong, try again later',
  notFound: 'Address not found',
  listed: 'Addresses',
  none: "You haven't added any address yet!",
} as const satisfies Messages;

const fixed = (value: string, message: string) => z.string(message).check(z.refine((text) => text === value, message));

export type AddressFields = ReturnType<typeof fields>;

const fields = (mobileMessage: string) => ({
  name: typedText(addressMessages.name, { min: 3 }),
  mobile: z.string(mobileMessage).check(z.regex(/^[0-9]{10}$/, mobileMessage)),
  address1: typedText(addressMessages.address1, { min: 3 }),
  address2: typedText(addressMessages.address2, { min: 3 }),
  landmark: typedText(addressMessages.landmark, { min: 3 }),
  pincode: fixed(SERVED_PLACE.pincode, addressMessages.pincode),
  city: fixed(SERVED_PLACE.city, addressMessages.city),
  state: fixed(SERVED_PLACE.state, addressMessages.state),
});

/** The rules of the address and guest form, used by the forms and by the calls. */
export const addressFields = fields(addressMessages.mobile);
export const editedAddressFields = fields(addressMessages.mobileWhenEditing);

export const addressForm = z.object(addressFields);
export type AddressForm = z.output<typeof addressForm>;

const address = z.object({
  addressid: z.string(),
  userid: z.string(),
  name: z.string(),
  mobile: z.string(),
  address1: z.string(),
  address2: z.string(),
  landmark: z.string(),
  pincode: z.string(),
  city: z.string(),
  state: z.string(),
});
export type Address = z.output<typeof address>;

export const addAddress = defineCall({
  method: 'POST',
  path: 'address/address.php',
  summary: 'Save an address.',
  caller: 'customer',
  failure: 'failed',
  body: z.object({ ...addressFields, userid: claimedUserid }),
  data: z.object({ addressid: z.string() }),
});

export const getAddresses = defineCall({
  method: 'POST',
  path: 'address/getaddress.php',
  summary: 'All saved addresses of the customer, newest first.',
  caller: 'customer',
  body: z.object({ userid: claimedUserid }),
  data: z.array(address),
});

export const getAddress = defineCall({
  method: 'POST',
  path: 'address/getspecificaddress',
  summary: 'One saved address, as a list of one.',
  caller: 'customer',
  body: z.object({ userid: claimedUserid, addressid: givenId }),
  data: z.array(address),
});

export const editAddress = defineCall({
  method: 'POST',
  path: 'address/editaddress',
  summary: 'Change a saved address.',
  caller: 'customer',
  body: z.object({ ...editedAddressFields, userid: claimedUserid, addressid: givenId }),
  data: noData,
});

export const deleteAddress = defineCall({
  method: 'POST',
  path: 'address/deleteaddress',
  summary: 'Delete a saved address. Orders keep their own copy.',
  caller: 'customer',
  body: z.object({ userid: claimedUserid, addressid: givenId }),
  data: noData,
});
