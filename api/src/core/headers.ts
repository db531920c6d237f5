/* Headers of responses. Constants, built once rather than per response. */

const CONTENT_SECURITY = {
  'default-src': "'self'",
  'base-uri': "'none'",
  'connect-src': "'self'",
  'font-src': "'self'",
  'form-action': "'self'",
  'frame-ancestors': "'none'",
  'img-src': "'self' data: blob:",
  'object-src': "'none'",
  'script-src': "'self'",
  'script-src-attr': "'none'",
  'style-src': "'self' 'unsafe-inline'",
  // No upgrade-insecure-requests: the portal may run over plain HTTP in a closed network.
}

/** For every response but the static files, as one user's data must not stay in the cache of a shared browser or proxy. */
const NO_STORE = { 'cache-control': 'no-store' }

/** HSTS, only over TLS. */
const HTTPS_ONLY = { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }

/** Of responses that a browser never shows as a page: JSON and images of the API. */
const DATA_HEADERS = { ...NO_STORE, 'x-content-type-options': 'nosniff' }

/** Of all other responses: pages, files, reports, and errors of them. */
const PAGE_HEADERS = {
  ...NO_STORE,
  'content-security-policy': Object.entries(CONTENT_SECURITY)
    .map(([directive, sources]) => `${directive} ${sources}`)
    .join(';'),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  // Browser features that no page needs.
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-frame-options': 'SAMEORIGIN',
  'x-permitted-cross-domain-policies': 'none',
  // The XSS filter of old browsers was itself exploitable.
  'x-xss-protection': '0',
}

/** Headers by kind and by whether the response is sent over TLS. */
const HEADERS = {
  data: { plain: DATA_HEADERS, tls: { ...DATA_HEADERS, ...HTTPS_ONLY } },
  page: { plain: PAGE_HEADERS, tls: { ...PAGE_HEADERS, ...HTTPS_ONLY } },
}

/** The constant headers of a response. */
export const headersOf = (isData: boolean, isTls: boolean): Readonly<Record<string, string>> =>
  HEADERS[isData ? 'data' : 'page'][isTls ? 'tls' : 'plain']

/** Clears the browser cache at the end of a session, including images of earlier releases. */
export const CLEAR_CACHE = { 'clear-site-data': '"cache"' }
