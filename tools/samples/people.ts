/** Names, addresses and texts of sample people. Each of them states that it is a sample. */
import { SERVED_LOCATION } from '../../src/domains/addresses/contract.ts';
import type { Area } from '../../src/domains/catalogue/contract.ts';
import type { Random } from './random.ts';

const FIRST_NAMES = [
  'Aarav',
  'Aditi',
  'Ajay',
  'Amrita',
  'Anil',
  'Anjali',
  'Arjun',
  'Asha',
  'Deepak',
  'Divya',
  'Farah',
  'Gaurav',
  'Harpreet',
  'Imran',
  'Isha',
  'Jaya',
  'Karan',
  'Kavita',
  'Lakshmi',
  'Manish',
  'Meera',
  'Mohan',
  'Neha',
  'Nikhil',
  'Pooja',
  'Pradeep',
  'Priya',
  'Rahul',
  'Rekha',
  'Rohit',
  'Sana',
  'Sandeep',
  'Shalini',
  'Sunita',
  'Tarun',
  'Uma',
  'Varun',
  'Vidya',
  'Vikram',
  'Zoya',
];
const LAST_NAMES = [
  'Agarwal',
  'Ahmed',
  'Bansal',
  'Bose',
  'Chauhan',
  'Das',
  'Desai',
  'Dhillon',
  'Gill',
  'Gupta',
  'Iyer',
  'Jain',
  'Joshi',
  'Kapoor',
  'Khan',
  'Kulkarni',
  'Kumar',
  'Malhotra',
  'Mehta',
  'Menon',
  'Mishra',
  'Nair',
  'Patel',
  'Pillai',
  'Rao',
  'Reddy',
  'Saxena',
  'Sethi',
  'Sharma',
  'Singh',
  'Sinha',
  'Thakur',
  'Tiwari',
  'Varma',
  'Yadav',
];

export const sampleName = (random: Pick<Random, 'pick'>) => `${random.pick(FIRST_NAMES)} ${random.pick(LAST_NAMES)} (sample)`;

const MOBILES = { first: 5_000_000_000, last: 5_999_999_999 } as const;

/** Numbers that match SEEDED_MOBILES. */
export const sampleMobile = (number: number) => String(MOBILES.first + number);

export const numberOfMobile = (mobile: string) => Number(mobile) - MOBILES.first;

const STREETS: Record<Area, readonly string[]> = {
  manesar: ['Sector 1, IMT', 'Sector 2, IMT', 'Sector M1', 'Naharpur Road', 'Kasan Road'],
  vatika: ['Sector 82', 'Sector 83', 'Sector 84', 'Signature Street', 'India Next'],
};
const LANDMARKS = ['Near the main gate', 'Behind the post office', 'Opposite the park', 'Next to the chemist', 'Near the school'];

export const sampleAddress = (random: Pick<Random, 'pick' | 'below'>, area: Area) => ({
  address1: `Flat ${1 + random.below(20)}0${1 + random.below(8)}, Tower ${'ABCDEFGH'[random.below(8)]}`,
  address2: random.pick(STREETS[area]),
  landmark: random.pick(LANDMARKS),
  ...SERVED_LOCATION,
});

const PRAISE = [
  'everything clean and folded.',
  'the rider came on time.',
  'shirts crisp, as promised.',
  'weighed at my door, paid by UPI.',
];
const BLAME = ['one shirt came back damp.', 'the rider was late.', 'clean, but two socks are missing.'];

export const sampleReview = (random: Pick<Random, 'pick'>, star: number) =>
  `This is a sample review: ${random.pick(star >= 4 ? PRAISE : BLAME)}`;
