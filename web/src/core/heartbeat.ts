import { ping } from '@rogatka/contract/session.ts'
import { call } from './call.ts'
import { connection, recordFailure } from './connection.ts'
import { ApiFailure } from './failure.ts'
import { session } from './session.ts'

const HEARTBEAT_MS = 20_000
/** Interval while the connection is uncertain. */
const RETRY_MS = 3_000
const TIMEOUT_MS = 10_000

/** Pings the server every 20 s from login to logout; every 3 s while it does not respond. */
export function startHeartbeat(): void {
  let timer: ReturnType<typeof setInterval> | undefined
  let interval = HEARTBEAT_MS
  const updateTimer = () => {
    const signedIn = session.get().token !== null
    const { state } = connection.get()
    const nextInterval = state === 'uncertain' || state === 'lost' ? RETRY_MS : HEARTBEAT_MS
    if (timer !== undefined && (!signedIn || interval !== nextInterval)) {
      clearInterval(timer)
      timer = undefined
    }
    interval = nextInterval
    if (signedIn) timer ??= setInterval(sendHeartbeat, interval)
  }
  session.subscribe(updateTimer)
  connection.subscribe(updateTimer)
  updateTimer()
}

async function sendHeartbeat(): Promise<void> {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  try {
    await call(ping, { background: true, signal })
  } catch (error) {
    if (signal.aborted) recordFailure(TIMEOUT_MS)
    else if (error instanceof ApiFailure && error.status === 503) recordFailure()
  }
}
