/** Headers of every answer: documents, calls, static files and errors alike. Reliability bar, S3. */
export const securityHeaders: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
};

/** Only with https: a browser that once saw it asks this host for nothing else. */
export const strictTransport = { 'strict-transport-security': 'max-age=31536000' } as const;

/** The policy of answers that are no documents: nothing in them may run or be framed. */
export const CALL_POLICY = "default-src 'none'; frame-ancestors 'none'";

/** Whose scripts and frames a document may load besides our own: a hosted bot check's, where this installation has one. */
export interface ExternalSources {
  readonly scriptSources: readonly string[];
  readonly frameSources: readonly string[];
}

export const NO_EXTERNAL_SOURCES: ExternalSources = { scriptSources: [], frameSources: [] };

/** The policy of a document whose inline scripts and styles have these hashes ("'sha256-…'"). */
export const documentPolicy = (scriptHashes: string[], styleHashes: string[], { scriptSources, frameSources }: ExternalSources) =>
  [
    "default-src 'none'",
    ['script-src', "'self'", ...scriptHashes, ...scriptSources].join(' '),
    ['style-src', "'self'", ...styleHashes].join(' '),
    "img-src 'self' data:",
    "connect-src 'self'",
    ...(frameSources.length > 0 ? [`frame-src ${frameSources.join(' ')}`] : []),
    "manifest-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
