import { checkInactivity, idleMs } from './inactivity.ts'
import { session } from './session.ts'
import { onTabMessage, postToTabs } from './tabs.ts'

/** Offers this tab's session to new tabs. */
export function startSharedSession(): void {
  onTabMessage({
    'session-requested': ({ tab }) => {
      // An expired session, whose timer has not fired yet, is not offered.
      checkInactivity()
      const { token } = session.get()
      if (token !== null) postToTabs('session-offered', { tab, token, idleMs: idleMs() })
    },
  })
}
