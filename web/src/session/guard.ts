/** What the guard knows when a page is asked for. */
export type GuardInput = {
  path: string
  /** The address with its search, to come back to after the login. */
  address: string
  signedIn: boolean
  mustChangePassword: boolean
  /** Where a login leads when nothing else was wanted. */
  home: string
  /** The address that was wanted when the login was asked for. */
  wanted: string | undefined
}

type Redirect = { to: string; wanted?: string } | null

const WITHOUT_SESSION = ['/login', '/reset-password', '/reset-password/reset', '/logout']

const isOpen = (path: string) =>
  WITHOUT_SESSION.some((open) => path === open) || path.startsWith('/reset-password/reset/')

/** Stands for the origin of this page, whatever it is. */
const ORIGIN = 'http://own.invalid'

/**
 * Only an address of this page is gone to after a login: what stays on this origin when it is resolved as the browser
 * does. Browsers drop tabs and line breaks, and take `\\` for `/`: such an address is nobody's wish.
 */
function isOwn(address: string | undefined): address is string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  if (!address?.startsWith('/') || /[\u0000-\u001f\u007f\\]/.test(address) || !URL.canParse(address, ORIGIN))
    return false
  const { origin, pathname } = new URL(address, ORIGIN)
  // `/.//elsewhere` resolves to `//elsewhere`, which would be resolved once more.
  return origin === ORIGIN && !pathname.startsWith('//') && !/^\/(login|logout)\b/.test(pathname)
}

/** Where to go instead of the page that was asked for; null: nowhere else. */
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
