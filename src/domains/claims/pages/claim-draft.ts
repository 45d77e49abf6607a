/** The claim that a customer prepares, stored in the tab until it is sent. */
import { tabStorage } from '../../../browser/tab-storage.ts';
import type { ErrorMessage } from '../../../i18n/messages.ts';
import type { AddClaimErrorCode, ClaimKind } from '../contract.ts';

/** A photo that is uploaded and not sent yet. */
export interface DraftPhoto {
  id: string;
  /** A data URL. */
  thumbnail: string;
  /** Bytes of the reduced photo, by which with the thumbnail a second copy is recognised. */
  size: number;
}

export interface ClaimDraft {
  kind: ClaimKind | '';
  message: string;
  photos: readonly DraftPhoto[];
  /** The key of the claim, from the first attempt to send it. Empty before. */
  key: string;
}

const EMPTY: ClaimDraft = { kind: '', message: '', photos: [], key: '' };

/** Drafts by order, and replies by claim. */
const storage = tabStorage<Readonly<Record<string, ClaimDraft>>>('claims', {});

/** Returns an empty draft if none is stored. `orderid` is the id of a claim for a reply. */
export const useClaimDraft = (orderid: string): ClaimDraft => storage.use()[orderid] ?? EMPTY;

/** Returns an empty draft if none is stored. */
export const claimDraftOf = (orderid: string): ClaimDraft => storage.get()[orderid] ?? EMPTY;

/** Returns true if the error requires photos that the customer has added again since. */
export const isPhotoErrorResolved = (error: ErrorMessage | null | undefined, { photos }: Pick<ClaimDraft, 'photos'>): boolean =>
  error?.code === ('unknown-photo' satisfies AddClaimErrorCode) && photos.length > 0;

export const changeClaimDraft = (orderid: string, change: Partial<ClaimDraft>) =>
  storage.set({ ...storage.get(), [orderid]: { ...claimDraftOf(orderid), ...change } });

export function clearClaimDraft(orderid: string) {
  const { [orderid]: _sent, ...others } = storage.get();
  storage.set(others);
}
