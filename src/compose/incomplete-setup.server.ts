import path from 'node:path';
import type { Db } from '../db/database.server.ts';
import { AREAS, SERVICE_IDS, type Area } from '../domains/catalogue/contract.ts';
import { isSampleRate, readCatalogue, SERVICE_NAMES } from '../domains/catalogue/service.server.ts';
import type { Evenings } from '../domains/evenings/contract.ts';
import { comingEvenings, firstFree } from '../domains/evenings/rules.ts';
import { readEvenings } from '../domains/evenings/service.server.ts';
import { listStoredPhotoIds } from '../domains/claims/store.server.ts';
import type { NotificationKind } from '../domains/notifications/contract.ts';
import { listUnsentKinds } from '../domains/notifications/rules.ts';
import { listStoredOrderPhotoIds } from '../domains/order-desk/photos-store.server.ts';
import type { PhotoStorage } from '../domains/photos/provider.server.ts';
import { readOwnerState } from '../domains/staff/store.server.ts';
import type { Settings } from '../settings.server.ts';

const OWNER_LINES = {
  none: ['Nobody can log in to the console yet. Add the owner: npm run staff -- add owner <mobile> <name>'],
  added: [
    'Nobody can log in to the console yet: the owner has not set a password with the link. Make another link: npm run staff -- link <mobile>',
  ],
  usable: [],
} as const;

/** The number of evenings of which each closed one is reported. */
const NEXT_EVENINGS = 7;

/**
 * Returns one line for each part of a live laundry that is not set up: what customers cannot order,
 * how they cannot pay, and what they do not receive. Each line names the remedy.
 */
export async function listIncompleteSetup(db: Db, storage: PhotoStorage, settings: Settings, now: Date): Promise<string[]> {
  return [
    ...OWNER_LINES[await readOwnerState(db)],
    ...(await listUnsold(db)),
    ...listClosedEvenings(await readEvenings(db, now), now),
    ...listUnset(settings),
    ...(await listPhotoFaults(db, storage, settings, now)),
  ];
}

/** A folder that cannot be used does not prevent the start. */
async function listPhotoFaults(db: Db, storage: PhotoStorage, settings: Settings, now: Date): Promise<string[]> {
  try {
    await storage.check();
  } catch (error) {
    const reason = ((error as Error).cause as Error).message;
    return [`Photos cannot be stored (${reason}): give the folder to the user of the program, or set DATA_DIR or PHOTO_DIR to another.`];
  }
  return listLostPhotos(db, storage, settings, now);
}

/**
 * Checks only the newest photos: the folder of another version contains none of the stored photos.
 */
async function listLostPhotos(db: Db, storage: PhotoStorage, { photos }: Settings, now: Date): Promise<string[]> {
  if (photos.kind !== 'folder') return [];
  const newest = [...(await listStoredPhotoIds(db, now, 1)), ...(await listStoredOrderPhotoIds(db, now, 1))];
  for (const id of newest) {
    const file = await storage.get(id).catch(() => undefined);
    if (!file)
      return ['Photos are missing: they are in the folder of an earlier version. Set DATA_DIR or PHOTO_DIR as that version had them.'];
    file.destroy();
  }
  return [];
}

async function listUnsold(db: Db): Promise<string[]> {
  const { program: programs, variations } = await readCatalogue(db);
  const names = (ids: readonly (keyof typeof SERVICE_NAMES)[]) => ids.map((id) => SERVICE_NAMES[id]).join(', ');
  const priced = SERVICE_IDS.filter((id) => programs.some(({ programid }) => programid === id));
  const unpriced = SERVICE_IDS.filter((id) => !priced.includes(id));
  const withoutArea = (area: Area) => priced.filter((id) => !variations.some((row) => row.programid === id && row.area === area));
  const samples = SERVICE_IDS.filter((id) => programs.some((program) => program.programid === id && isSampleRate(program)));
  return [
    unpriced.length > 0 && `Not sold yet, because they have no price: ${names(unpriced)}. Set it in Catalogue of the console.`,
    ...AREAS.map((area) => {
      const missing = withoutArea(area);
      return (
        missing.length > 0 &&
        `Not sold in ${nameOf(area)}, which has no surcharge for: ${names(missing)}. Set it in Catalogue of the console.`
      );
    }),
    samples.length > 0 && `Sold at the sample price: ${names(samples)}. Change it in Catalogue of the console.`,
  ].filter((line) => line !== false);
}

/** Returns the area with a capital letter. */
const nameOf = (area: string) => area.charAt(0).toUpperCase() + area.slice(1);

const listClosedEvenings = (evenings: Evenings, now: Date): string[] =>
  AREAS.flatMap((area) => {
    const coming = comingEvenings(evenings[area], now);
    if (!firstFree(coming))
      return [
        `No order is accepted in ${nameOf(area)}: no evening of the next ${coming.length} days is free. See Evenings of the console.`,
      ];
    const closed = coming.slice(0, NEXT_EVENINGS).filter(({ status }) => status === 'closed');
    return closed.length > 0 ? [`Closed evenings in ${nameOf(area)}: ${closed.map(({ day }) => day).join(', ')}.`] : [];
  });

function listUnset({ upi, gateway, notifications, photos, dataDir }: Settings): string[] {
  const unsentKinds = notifications ? listUnsentKinds((kind) => notifications.templates[kind as NotificationKind] !== undefined) : [];
  const unset = unsentKinds.map((kind) => `MSG91_TEMPLATE_${kind.toUpperCase()}`);
  return [
    !upi && 'Customers cannot pay by UPI: set UPI_VPA.',
    gateway.kind === 'off' && 'Customers cannot pay online: set PAYMENT_GATEWAY.',
    !notifications && 'Customers get no messages about orders: set MSG91_AUTH_KEY and the templates.',
    unset.length > 0 && `Messages that are not sent, because their template is not set: ${unset.join(', ')}.`,
    photos.kind === 'folder' && photos.folder === undefined && describePhotoFolder(dataDir),
  ].filter((line) => line !== false);
}

/** A live program has its own DATABASE_URL, and then the default data folder is `.data`. */
function describePhotoFolder(dataDir: string | undefined): string {
  const folder = path.resolve(dataDir ?? '.data', 'photos');
  return dataDir === undefined
    ? `The photos go to ${folder}, inside the folder of this version: the next version does not have them. Set DATA_DIR to a folder outside it.`
    : `The photos are in ${folder}. Processes on other machines need the same folder (PHOTO_DIR) or PHOTO_STORAGE=s3.`;
}
