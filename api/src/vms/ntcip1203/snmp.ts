import { setTimeout as sleep } from 'node:timers/promises'
import snmp, { type Session, type Varbind } from 'net-snmp'
import { type OnNoAnswer, type SignAddress, SignError } from '../driver.ts'

/** NTCIP knows SNMP version 1 only. */
const OPTIONS = { version: snmp.Version1, retries: 0 }

/** How patiently a sign is asked: the wait for an answer, and how often it is asked again. */
export type RetryPolicy = { timeoutMs: number; retries: number }

type Snmp = {
  get: (oids: string[], patience: RetryPolicy, signal: AbortSignal) => Promise<(number | Buffer)[]>
  set: (varbinds: Varbind[], patience: RetryPolicy, signal: AbortSignal) => Promise<void>
}

/** Speaks SNMP to one address. What is asked may be asked again: gets, and sets of the same value. */
export function openSnmp({ host, port, community }: SignAddress, onSilence: OnNoAnswer): Snmp {
  /** One question with a socket of its own, so that an answer that comes too late meets nobody. */
  const once = <T>(timeout: number, signal: AbortSignal, ask: (session: Session, done: Done<T>) => void): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      const session = snmp.createSession(host, community, { ...OPTIONS, port, timeout })
      let isOver = false
      const end = (settle: () => void) => {
        // Closing answers what is still open, and would close what is closed.
        if (isOver) return
        isOver = true
        signal.removeEventListener('abort', abort)
        session.close()
        settle()
      }
      const abort = () => end(() => reject(new SignError('sign-did-not-answer', 'given up')))
      signal.addEventListener('abort', abort)
      session.on('error', (error) => end(() => reject(error)))
      ask(session, (error, value) => end(() => (error ? reject(error) : resolve(value as T))))
    })

  const patiently = async <T>({ timeoutMs, retries }: RetryPolicy, signal: AbortSignal, ask: Ask<T>): Promise<T> => {
    for (let attempt = 0; ; attempt++) {
      if (signal.aborted) throw new SignError('sign-did-not-answer', 'given up')
      try {
        return await once(timeoutMs, signal, ask)
      } catch (error) {
        const reason = (error as Error).message
        // An error status is an answer too, and so is a value that says that there is none.
        if (error instanceof SignError) throw error
        if ((error as Error).name === 'RequestFailedError') throw new SignError('sign-rejected-message', reason)
        if (signal.aborted) throw new SignError('sign-did-not-answer', reason)
        onSilence(reason)
        if (attempt >= retries) throw new SignError('sign-did-not-answer', reason)
        await sleep(DELAY_MS * 2 ** attempt, undefined, { signal }).catch(() => {})
      }
    }
  }

  return {
    get: (oids, patience, signal) =>
      patiently<(number | Buffer)[]>(patience, signal, (session, done) =>
        session.get(oids, (error, varbinds = []) => {
          const bad = varbinds.find((varbind) => snmp.isVarbindError(varbind))
          if (error || bad) return done(error ?? new SignError('sign-rejected-message', `no ${bad?.oid}`))
          done(
            null,
            varbinds.map(({ value }) => value as number | Buffer),
          )
        }),
      ),
    set: (varbinds, patience, signal) =>
      patiently<void>(patience, signal, (session, done) => session.set(varbinds, (error) => done(error))),
  }
}

/** Before the first retry; the next waits twice as long. */
const DELAY_MS = 200

type Done<T> = (error: Error | null, value?: T) => void
type Ask<T> = (session: Session, done: Done<T>) => void
