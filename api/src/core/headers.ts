/* Headers of every response. Constants, built once rather than per response. */

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

export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
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

/**
 * For every response but the static files, as one user's data must not stay in the cache of a shared browser or proxy.
 */
export const NO_STORE = 'no-store'

/** Clears the browser cache at the end of a session, including images of earlier releases. */
export const CLEAR_CACHE = { 'clear-site-data': '"cache"' }

/** HSTS, only over TLS. */
export const HTTPS_ONLY = 'max-age=31536000; includeSubDomains'
