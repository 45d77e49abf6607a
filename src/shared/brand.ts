/**
 * The identity of the laundry. Change it here or with the BRAND_ variables (docs/operations.md).
 */
export interface Brand {
  /** The product's name, as in 'Pay with {product} wallet'. */
  name: string;
  /** The laundry that does the work: 'Powered by {laundry service provider}'. */
  provider: string;
  email: string;
  mobile: string;
  address: string;
  social: { network: string; photos: string; chatNumber: string };
  stores: { android: string; ios: string };
}

export const defaultBrand: Brand = {
  name: 'Dhulai',
  provider: 'Dhulai Laundry Services',
  email: 'support@dhulai.example',
  mobile: '+91 00000 00000',
  address: 'Vatika India Next, Gurugram, Haryana 122052',
  social: {
    network: 'https://www.facebook.com/',
    photos: 'https://www.instagram.com/',
    chatNumber: '910000000000',
  },
  stores: {
    android: 'https://play.google.com/store',
    ios: 'https://www.apple.com/app-store/',
  },
};
