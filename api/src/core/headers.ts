/*
 * What every answer tells a browser, beside what it answers. The values are constants: put together once, not for each
 * answer.
 */

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
  // No upgrade-insecure-requests: the portal may stand behind plain HTTP in a closed network.
}

export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': Object.entries(CONTENT_SECURITY)
    .map(([what, from]) => `${what} ${from}`)
    .join(';'),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  // What no page of the portal ever needs of a device.
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-frame-options': 'SAMEORIGIN',
  'x-permitted-cross-domain-policies': 'none',
  // The filter that old browsers had could itself be used against a page.
  'x-xss-protection': '0',
}

/**
 * Of every answer but the files of the page, which are the same for everybody: what one user may see and the next one at
 * the same computer may not is kept by no browser and no proxy.
 */
export const NO_STORE = 'no-store'

/** Makes a browser delete what it has kept of the portal when a session ends, earlier releases' images among it. */
export const CLEAR_CACHE = { 'clear-site-data': '"cache"' }

/** Only for what came by TLS: who may have none must not promise it for later. */
export const HTTPS_ONLY = 'max-age=31536000; includeSubDomains'
