import { ping } from '@rogatka/contract/session.ts'
import { call } from './call.ts'
import { session } from './session.ts'

const HEARTBEAT_MS = 20_000

/** Tells the server every 20 s that this session lives, from login to logout. */
export function startHeartbeat(): void {
  let timer: ReturnType<typeof setInterval> | undefined
  const beat = () => void call(ping, { background: true }).catch(() => undefined)
  const follow = () => {
    const signedIn = session.get().token !== null
    if (signedIn && timer === undefined) timer = setInterval(beat, HEARTBEAT_MS)
    if (!signedIn) {
      clearInterval(timer)
      timer = undefined
    }
  }
  session.subscribe(follow)
  follow()
}
