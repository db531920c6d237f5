/** Input of the route guard. */
export type GuardInput = {
  path: string
  /** Current URL with query, to return to after the login. */
  address: string
  signedIn: boolean
  mustChangePassword: boolean
  /** Target of the login without a return URL. */
  home: string
  /** Return URL of the login page. */
  wanted: string | undefined
}

type Redirect = { to: string; wanted?: string } | null

const WITHOUT_SESSION = ['/login', '/reset-password', '/reset-password/reset', '/logout']

const isOpen = (path: string) =>
  WITHOUT_SESSION.some((open) => path === open) || path.startsWith('/reset-password/reset/')

/** Placeholder origin for resolving paths. */
const ORIGIN = 'http://own.invalid'

/**
 * Prevents open redirects: only URLs that stay on this origin, resolved like in a browser. Browsers drop tabs and line
 * breaks and treat `\\` as `/`; such URLs are rejected.
 */
function isOwn(address: string | undefined): address is string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: rejects control characters
  if (!address?.startsWith('/') || /[\u0000-\u001f\u007f\\]/.test(address) || !URL.canParse(address, ORIGIN))
    return false
  const { origin, pathname } = new URL(address, ORIGIN)
  // `/.//elsewhere` resolves to `//elsewhere`, which would be resolved again.
  return origin === ORIGIN && !pathname.startsWith('//') && !/^\/(login|logout)\b/.test(pathname)
}

/** Redirect for the requested page; null: none. */
export function resolveRedirect({ path, address, signedIn, mustChangePassword, home, wanted }: GuardInput): Redirect {
  if (!signedIn) {
    if (isOpen(path)) return null
    const worthKeeping = isOwn(address) && address !== '/' && path !== '/password-expired'
    return worthKeeping ? { to: '/login', wanted: address } : { to: '/login' }
  }
  if (path === '/logout') return null
  if (mustChangePassword) return path === '/password-expired' ? null : { to: '/password-expired' }
  if (path === '/password-expired') return { to: home }
  if (path === '/login') return { to: isOwn(wanted) ? wanted : home }
  return null
}
