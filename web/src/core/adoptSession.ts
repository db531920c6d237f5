import { session, startSession } from './session.ts'
import { onTabMessage, postToTabs } from './tabs.ts'

/** Busy or sleeping tabs respond late; the page does not wait longer than this. */
const TIMEOUT_MS = 150
/** Time to collect offers of several tabs; the most recently used one opened this tab. */
const COLLECT_OFFERS_MS = 30
/** A later offer is still accepted up to this age, too short for a manual login. */
const MAX_OFFER_DELAY_MS = 2_000

/** Pages without a session, possibly opened by another person from an e-mail. */
const PATHS_WITHOUT_SESSION = /^\/(reset-password|logout)\b/

type Offer = { token: string; idleMs: number }

/** Takes over the session of another tab, so that links opened in new tabs are signed in. */
export async function adoptSession(): Promise<void> {
  if (session.get().token !== null || PATHS_WITHOUT_SESSION.test(location.pathname)) return
  const tab = crypto.getRandomValues(new Uint32Array(2)).join('-')
  const offers: Offer[] = []
  const isOpen = { current: true }
  const adopt = () => {
    const best = offers.toSorted((a, b) => a.idleMs - b.idleMs)[0]
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
          }, COLLECT_OFFERS_MS)
      },
    })
    postToTabs('session-requested', { tab })
    setTimeout(resolve, TIMEOUT_MS)
    setTimeout(() => {
      isOpen.current = false
    }, MAX_OFFER_DELAY_MS)
  })
}
