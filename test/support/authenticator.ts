/** An authenticator of WebAuthn in software: https://www.w3.org/TR/webauthn-3/#sctn-attestation. */
import { generateKeyPairSync, hash, randomBytes } from 'node:crypto';
import type { Credential } from '../../src/domains/staff/desk/contract.ts';

const FLAGS = { userPresent: 0x01, userVerified: 0x04, hasCredential: 0x40 };
const CREDENTIAL_ID_BYTES = 16;

const base64url = (bytes: Buffer | string) => Buffer.from(bytes).toString('base64url');

/** The key in COSE: a map of the type EC2, the algorithm ES256, the curve P-256 and a point. */
function newPublicKey(): Buffer {
  const { x = '', y = '' } = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' });
  const point = (key: number, value: string) => [Buffer.from([key, 0x58, 32]), Buffer.from(value, 'base64url')];
  return Buffer.concat([Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01]), ...point(0x21, x), ...point(0x22, y)]);
}

/** Returns a new credential for the options of `staff/passkeyoptions`, without an attestation. */
export function newCredential(options: Record<string, unknown>, origin: string): Credential {
  const { challenge, rp } = options as { challenge: string; rp: { id: string } };
  const id = randomBytes(CREDENTIAL_ID_BYTES);
  const flags = FLAGS.userPresent | FLAGS.userVerified | FLAGS.hasCredential;
  const counter = Buffer.alloc(4);
  const model = Buffer.alloc(16);
  const authData = Buffer.concat([
    hash('sha256', rp.id, 'buffer'),
    Buffer.from([flags]),
    counter,
    model,
    Buffer.from([0, CREDENTIAL_ID_BYTES]),
    id,
    newPublicKey(),
  ]);
  const text = (value: string) => Buffer.from([0x60 + value.length, ...Buffer.from(value)]);
  const attestationObject = Buffer.concat([
    Buffer.from([0xa3]),
    text('fmt'),
    text('none'),
    text('attStmt'),
    Buffer.from([0xa0]),
    text('authData'),
    Buffer.from([0x58, authData.length]),
    authData,
  ]);
  const clientData = JSON.stringify({ type: 'webauthn.create', challenge, origin, crossOrigin: false });
  return {
    id: base64url(id),
    rawId: base64url(id),
    type: 'public-key',
    clientExtensionResults: {},
    response: { clientDataJSON: base64url(clientData), attestationObject: base64url(attestationObject), transports: ['internal'] },
  };
}
