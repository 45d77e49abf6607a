/** Headers of every response: documents, calls, static files and errors (docs/security.md, S3). */
export const securityHeaders: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
};

/**
 * Sent over https only. A browser that received it uses https for every later request to this host.
 */
export const strictTransport = { 'strict-transport-security': 'max-age=31536000' } as const;

/**
 * The content security policy of responses other than documents: they may not load, run or be
 * framed.
 */
export const CALL_POLICY = "default-src 'none'; frame-ancestors 'none'";

/** The policy of the service worker governs its requests. */
export const SERVICE_WORKER_POLICY = "default-src 'none'; connect-src 'self'; frame-ancestors 'none'";

/** The headers of calls and of errors outside calls: neither pages nor files. */
export const callHeaders: Readonly<Record<string, string>> = {
  ...securityHeaders,
  'content-security-policy': CALL_POLICY,
  'cache-control': 'no-store',
};

/** CSP sources of the hosted bot check, if the settings select one. */
export interface ExternalSources {
  readonly scriptSources: readonly string[];
  readonly frameSources: readonly string[];
}

export const NO_EXTERNAL_SOURCES: ExternalSources = { scriptSources: [], frameSources: [] };

/**
 * Returns the content security policy of a document. Hashes are CSP sources ("'sha256-…'") of its
 * inline scripts and styles.
 */
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
