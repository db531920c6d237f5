import { setTimeout as sleep } from 'node:timers/promises'
import snmp, { type Session, type Varbind } from 'net-snmp'
import { type OnNoAnswer, type SignAddress, SignError } from '../driver.ts'

/** NTCIP requires SNMP version 1. */
const OPTIONS = { version: snmp.Version1, retries: 0 }

/** Timeout per attempt and number of retries. */
export type RetryPolicy = { timeoutMs: number; retries: number }

type Snmp = {
  get: (oids: string[], policy: RetryPolicy, signal: AbortSignal) => Promise<(number | Buffer)[]>
  set: (varbinds: Varbind[], policy: RetryPolicy, signal: AbortSignal) => Promise<void>
}

/** An SNMP client for one address. Requests are idempotent: gets, and sets of the same value. */
export function openSnmp({ host, port, community }: SignAddress, onNoAnswer: OnNoAnswer): Snmp {
  /** One request with its own socket, so that late answers are ignored. */
  const requestOnce = <T>(
    timeout: number,
    signal: AbortSignal,
    send: (session: Session, done: ResponseCallback<T>) => void,
  ): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      const session = snmp.createSession(host, community, { ...OPTIONS, port, timeout })
      let isClosed = false
      const end = (settle: () => void) => {
        // Closing ends open requests, and would close twice.
        if (isClosed) return
        isClosed = true
        signal.removeEventListener('abort', abort)
        session.close()
        settle()
      }
      const abort = () => end(() => reject(new SignError('sign-did-not-answer', 'given up')))
      signal.addEventListener('abort', abort)
      session.on('error', (error) => end(() => reject(error)))
      send(session, (error, value) => end(() => (error ? reject(error) : resolve(value as T))))
    })

  const withRetries = async <T>(
    { timeoutMs, retries }: RetryPolicy,
    signal: AbortSignal,
    send: SendRequest<T>,
  ): Promise<T> => {
    for (let attempt = 0; ; attempt++) {
      if (signal.aborted) throw new SignError('sign-did-not-answer', 'given up')
      try {
        return await requestOnce(timeoutMs, signal, send)
      } catch (error) {
        const reason = (error as Error).message
        // An error status is an answer too, as is a missing value.
        if (error instanceof SignError) throw error
        if ((error as Error).name === 'RequestFailedError') throw new SignError('sign-rejected-message', reason)
        if (signal.aborted) throw new SignError('sign-did-not-answer', reason)
        onNoAnswer(reason)
        if (attempt >= retries) throw new SignError('sign-did-not-answer', reason)
        await sleep(DELAY_MS * 2 ** attempt, undefined, { signal }).catch(() => {})
      }
    }
  }

  return {
    get: (oids, policy, signal) =>
      withRetries<(number | Buffer)[]>(policy, signal, (session, done) =>
        session.get(oids, (error, varbinds = []) => {
          const bad = varbinds.find((varbind) => snmp.isVarbindError(varbind))
          if (error || bad) return done(error ?? new SignError('sign-rejected-message', `no ${bad?.oid}`))
          done(
            null,
            varbinds.map(({ value }) => value as number | Buffer),
          )
        }),
      ),
    set: (varbinds, policy, signal) =>
      withRetries<void>(policy, signal, (session, done) => session.set(varbinds, (error) => done(error))),
  }
}

/** Delay before the first retry, doubled each time. */
const DELAY_MS = 200

type ResponseCallback<T> = (error: Error | null, value?: T) => void
type SendRequest<T> = (session: Session, done: ResponseCallback<T>) => void
