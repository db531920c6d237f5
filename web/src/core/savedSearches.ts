import { fetchSearch, saveSearch } from './call.ts'
import { ApiFailure } from './failure.ts'
import { fieldsOf, idsIn, recordFields } from './plateSearches.ts'
import { readParameters } from './search.ts'
import { searchPathOf, toFields } from './searchPages.ts'

/** Saves the searches whose ids an address of the portal holds, so that a reload or another tab can open it. */
export function saveAddress(href: string): void {
  const { pathname, search, origin } = new URL(href, location.origin)
  const api = origin === location.origin ? searchPathOf(pathname) : undefined
  if (!api) return
  for (const { id } of idsIn(readParameters(search))) {
    const fields = fieldsOf(id)
    // A call that needs it tries again, and says so.
    if (fields) void saveSearch({ api, id, fields }).catch(() => undefined)
  }
}

/** Saves the search of a link before the user can open it in another tab. */
export function saveOpenedLinks(): void {
  const onUse = ({ target }: Event) => {
    const link = target instanceof Element ? target.closest('a[href]') : null
    if (link instanceof HTMLAnchorElement) saveAddress(link.href)
  }
  for (const event of ['pointerdown', 'focusin']) document.addEventListener(event, onUse, { capture: true })
}

/** Malformed, of users of anonymised data, expired or someone else's. */
const GONE = [400, 403, 404]

/**
 * Opens the searches of an address that this tab does not know.
 * @returns whether it knows more now, and the parameters whose searches are gone with the reason
 * @throws ApiFailure or ServerUnavailable if that cannot be determined now
 */
export async function openSearches(
  pathname: string,
  values: Readonly<Record<string, unknown>>,
): Promise<{ isChanged: boolean; gone: string[]; failure: ApiFailure | null }> {
  const api = searchPathOf(pathname)
  const gone: string[] = []
  let isChanged = false
  let failure: ApiFailure | null = null
  if (!api) return { isChanged, gone, failure }
  for (const { parameter, id } of idsIn(values)) {
    if (fieldsOf(id)) continue
    try {
      recordFields(id, toFields(await fetchSearch(api, id), parameter))
      isChanged = true
    } catch (error) {
      if (!(error instanceof ApiFailure && GONE.includes(error.status))) throw error
      gone.push(parameter)
      failure = error
    }
  }
  return { isChanged, gone, failure }
}
