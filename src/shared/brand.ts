import type { Language } from '../i18n/language.tsx';

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
  /** Without it, Hindi pages show `address`. */
  addressInHindi?: string | undefined;
  /** Links without a value are not shown. */
  social: { network?: string | undefined; photos?: string | undefined; chatNumber?: string | undefined };
  stores: { android?: string | undefined; ios?: string | undefined };
}

/** Contact data that reaches no laundry. A live program does not start with it. */
export const PLACEHOLDERS = {
  email: 'support@dhulai.example',
  mobile: '+91 00000 00000',
  address: 'Vatika India Next, Gurugram, Haryana 122052',
};

export const defaultBrand = {
  name: 'Dhulai',
  provider: 'Dhulai Laundry Services',
  ...PLACEHOLDERS,
  social: {
    network: 'https://www.facebook.com/',
    photos: 'https://www.instagram.com/',
    chatNumber: '910000000000',
  },
  stores: {
    android: 'https://play.google.com/store',
    ios: 'https://www.apple.com/app-store/',
  },
} satisfies Brand;

/** Returns the office address in the language, or unchanged without a translation. */
export const officeAddress = ({ address, addressInHindi }: Brand, { code, translateData }: Language): string =>
  (code === 'hi' && addressInHindi) || translateData(address);

/** Returns the `tel:` URL of a number that is written with spaces (RFC 3966). */
export const telephoneUrl = (number: string): string => `tel:${number.replace(/[^+\d]/g, '')}`;

type Values<Texts> = { readonly [Name in keyof Texts]: string | undefined };
type BrandValues = Values<Omit<Brand, 'social' | 'stores'>> & { social: Brand['social']; stores: Brand['stores'] };

/**
 * Returns the default brand with the values that `brand` contains. Live mode has no default links:
 * they would lead customers to strangers.
 */
export function brandOf({ brand, mode }: { brand: BrandValues; mode: 'demo' | 'live' }): Brand {
  const links = mode === 'demo' ? defaultBrand : { social: {}, stores: {} };
  return {
    ...defaultBrand,
    name: brand.name ?? defaultBrand.name,
    provider: brand.provider ?? defaultBrand.provider,
    email: brand.email ?? defaultBrand.email,
    mobile: brand.mobile ?? defaultBrand.mobile,
    address: brand.address ?? defaultBrand.address,
    addressInHindi: brand.addressInHindi,
    social: { ...links.social, ...defined(brand.social) },
    stores: { ...links.stores, ...defined(brand.stores) },
  };
}

const defined = (values: Readonly<Record<string, string | undefined>>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
