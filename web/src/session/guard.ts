/** Input of the route guard. */
export type GuardInput = {
  path: string
  /** Current URL with query, to return to after the login. */
  url: string
  signedIn: boolean
  mustChangePassword: boolean
  mustSetUpFactor: boolean
  /** Target of the login without a return URL. */
  home: string
  /** Return URL of the login page. */
  returnTo: string | undefined
}

type Redirect = { to: string; returnTo?: string } | null

const WITHOUT_SESSION = ['/login', '/reset-password', '/reset-password/reset', '/logout']

/** Pages that a session demands before all others. */
const SESSION_DEMANDS = ['/password-expired', '/factor-setup']

const isPublic = (path: string) =>
  WITHOUT_SESSION.some((publicPath) => path === publicPath) || path.startsWith('/reset-password/reset/')

/** Placeholder origin for resolving paths. */
const ORIGIN = 'http://own.invalid'

/**
 * Prevents open redirects: only URLs that stay on this origin, resolved like in a browser. Browsers drop tabs and line
 * breaks and treat `\\` as `/`; such URLs are rejected.
 */
function isSameOrigin(url: string | undefined): url is string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: rejects control characters
  if (!url?.startsWith('/') || /[\u0000-\u001f\u007f\\]/.test(url) || !URL.canParse(url, ORIGIN)) return false
  const { origin, pathname } = new URL(url, ORIGIN)
  // `/.//elsewhere` resolves to `//elsewhere`, which would be resolved again.
  return origin === ORIGIN && !pathname.startsWith('//') && !/^\/(login|logout)\b/.test(pathname)
}

/** Redirect for the requested page; null: none. */
export function resolveRedirect(input: GuardInput): Redirect {
  const { path, url, signedIn, mustChangePassword, mustSetUpFactor, home, returnTo } = input
  if (!signedIn) {
    if (isPublic(path)) return null
    const isReturnTarget = isSameOrigin(url) && url !== '/' && !SESSION_DEMANDS.includes(path)
    return isReturnTarget ? { to: '/login', returnTo: url } : { to: '/login' }
  }
  if (path === '/logout') return null
  if (mustChangePassword) return path === '/password-expired' ? null : { to: '/password-expired' }
  if (mustSetUpFactor) return path === '/factor-setup' ? null : { to: '/factor-setup' }
  if (SESSION_DEMANDS.includes(path)) return { to: home }
  if (path === '/login') return { to: isSameOrigin(returnTo) ? returnTo : home }
  return null
}
