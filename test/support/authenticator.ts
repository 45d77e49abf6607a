/** An authenticator of WebAuthn in software: https://www.w3.org/TR/webauthn-3/#sctn-attestation. */
import { createPrivateKey, generateKeyPairSync, hash, randomBytes, sign } from 'node:crypto';
import type { Credential } from '../../src/domains/staff/desk/contract.ts';

const FLAGS = { userPresent: 0x01, userVerified: 0x04, hasCredential: 0x40 };
const CREDENTIAL_ID_BYTES = 16;

const base64url = (value: Buffer | string) => Buffer.from(value).toString('base64url');

/** Texts of at most 23 and byte strings of at most 65,535 bytes in CBOR. */
const text = (value: string) => Buffer.from([0x60 + value.length, ...Buffer.from(value)]);
const bytes = (value: Buffer) => Buffer.concat([Buffer.from([0x59, value.length >> 8, value.length & 0xff]), value]);

/** A certificate that the test has issued to itself, and its key. */
const CERTIFICATE = Buffer.from(
  'MIIB8zCCAZigAwIBAgIUf1l7uSc8rucAjY7wmC2nNqBnxNMwCgYIKoZIzj0EAwIwTzELMAkGA1UEBhMCSU4xDTALBgNVBAoMBFRlc3QxIjAgBgNVBAsMGUF1dGhlbnRpY2F0b3IgQXR0ZXN0YXRpb24xDTALBgNVBAMMBFRlc3QwIBcNMjYxMTI3MTk1MTIxWhgPMjEyNjExMDMxOTUxMjFaME8xCzAJBgNVBAYTAklOMQ0wCwYDVQQKDARUZXN0MSIwIAYDVQQLDBlBdXRoZW50aWNhdG9yIEF0dGVzdGF0aW9uMQ0wCwYDVQQDDARUZXN0MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAED/CxPQbnZg0BXBbze7IdxuFJp9mhvnE1a0+pQC4Z/ot4q/Steyx/g1A92HniCjcD93c5kShTCwu5PMMfp70VNqNQME4wHQYDVR0OBBYEFFEU5FJJAOq5fQOuRMplcwdi421yMB8GA1UdIwQYMBaAFFEU5FJJAOq5fQOuRMplcwdi421yMAwGA1UdEwEB/wQCMAAwCgYIKoZIzj0EAwIDSQAwRgIhANSVnLJzGAcJ6F+X4CdV0Ivif8tfr/W66Ogep55ZC+sEAiEA6JP938aqcqwunVTGaTL00Y7EWE5OBiaOfOZxcurXWxU=',
  'base64',
);
const CERTIFICATE_KEY = createPrivateKey({
  key: Buffer.from(
    'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgeysldeBULSTxEDBokgIoKbd+j6EynWi44TH7IM+XepChRANCAAQP8LE9BudmDQFcFvN7sh3G4Umn2aG+cTVrT6lALhn+i3ir9K17LH+DUD3YeeIKNwP3dzmRKFMLC7k8wx+nvRU2',
    'base64',
  ),
  format: 'der',
  type: 'pkcs8',
});

/** A statement of the format 'packed': algorithm ES256, signature and certificates. */
const certified = (signed: Buffer) =>
  Buffer.concat([
    Buffer.from([0xa3]),
    text('alg'),
    Buffer.from([0x26]),
    text('sig'),
    bytes(sign('sha256', signed, CERTIFICATE_KEY)),
    text('x5c'),
    Buffer.from([0x81]),
    bytes(CERTIFICATE),
  ]);

/** The key in COSE: a map of the type EC2, the algorithm ES256, the curve P-256 and a point. */
function newPublicKey(): Buffer {
  const { x = '', y = '' } = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' });
  const point = (key: number, value: string) => [Buffer.from([key, 0x58, 32]), Buffer.from(value, 'base64url')];
  return Buffer.concat([Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01]), ...point(0x21, x), ...point(0x22, y)]);
}

/**
 * Returns a new credential for the options of `staff/passkeyoptions`, without an attestation, or
 * with one that the certificate of a manufacturer signs.
 */
export function newCredential(options: Record<string, unknown>, origin: string, { isCertified = false } = {}): Credential {
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
  const clientData = JSON.stringify({ type: 'webauthn.create', challenge, origin, crossOrigin: false });
  const attestationObject = Buffer.concat([
    Buffer.from([0xa3]),
    text('fmt'),
    text(isCertified ? 'packed' : 'none'),
    text('attStmt'),
    isCertified ? certified(Buffer.concat([authData, hash('sha256', clientData, 'buffer')])) : Buffer.from([0xa0]),
    text('authData'),
    bytes(authData),
  ]);
  return {
    id: base64url(id),
    rawId: base64url(id),
    type: 'public-key',
    clientExtensionResults: {},
    response: { clientDataJSON: base64url(clientData), attestationObject: base64url(attestationObject), transports: ['internal'] },
  };
}
