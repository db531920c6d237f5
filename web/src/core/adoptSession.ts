import { session, startSession } from './session.ts'
import { onTabMessage, postToTabs } from './tabs.ts'

/** A tab that is busy or sleeps answers late; nobody should wait for it at an empty page. */
const TIMEOUT_MS = 150
/** Several tabs answer one after the other; the one used last is the one that opened this tab. */
const COLLECT_MS = 30
/** An offer that comes still later is taken over as long as nobody can have signed in by hand. */
const LATE_MS = 2_000

/** Pages on which nobody needs a session, and which another person may have opened from a mail. */
const WITHOUT = /^\/(reset-password|logout)\b/

type Offer = { token: string; idleMs: number }

/** Takes over the session of another tab, if there is one: a page opened in a new tab belongs to who is signed in. */
export async function adoptSession(): Promise<void> {
  if (session.get().token !== null || WITHOUT.test(location.pathname)) return
  const tab = crypto.getRandomValues(new Uint32Array(2)).join('-')
  const offers: Offer[] = []
  const isOpen = { current: true }
  const adopt = () => {
    const best = offers.toSorted((one, other) => one.idleMs - other.idleMs)[0]
    if (!best || !isOpen.current) return
    isOpen.current = false
    startSession(best.token)
  }
  session.subscribe(() => {
    isOpen.current = false
  })
  await new Promise<void>((resolve) => {
    onTabMessage({
      'session-offered': (offer) => {
        if (offer.tab !== tab || !isOpen.current) return
        offers.push(offer)
        if (offers.length === 1)
          setTimeout(() => {
            adopt()
            resolve()
          }, COLLECT_MS)
      },
    })
    postToTabs('session-wanted', { tab })
    setTimeout(resolve, TIMEOUT_MS)
    setTimeout(() => {
      isOpen.current = false
    }, LATE_MS)
  })
}
