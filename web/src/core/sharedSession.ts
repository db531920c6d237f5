import { checkInactivity, idleMs } from './inactivity.ts'
import { session } from './session.ts'
import { onTabMessage, postToTabs } from './tabs.ts'

/** Offers the session of this tab to new ones. */
export function startSharedSession(): void {
  onTabMessage({
    'session-wanted': ({ tab }) => {
      // One that is over, though no timer has run since, is not passed on.
      checkInactivity()
      const { token } = session.get()
      if (token !== null) postToTabs('session-offered', { tab, token, idleMs: idleMs() })
    },
  })
}
