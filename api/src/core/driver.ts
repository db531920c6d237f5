import { registerHooks } from 'node:module'

/*
 * The driver (postgres 3.4.9) as it is published has faults, and most need no more than a database that is killed
 * at the wrong moment: a transaction that lost its connection goes on with it, in the middle of what others do there by
 * now, or throws where nobody can catch it, which ends the process; a connection that closed with a write put off never
 * writes again, for as long as the process lives; what is asked between the error of a connection and its end is never
 * answered; and a connection that dies while it asks for the types of arrays ends the process, or forgets the
 * transaction that waits for it. The last needs nothing: whoever reserves a connection that must be opened for it may
 * wait for ever.
 * Until there is a release without them its source is mended while it is loaded.
 * Why so: docs/decisions/060-the-driver-is-mended-while-it-is-loaded.md
 */

type Mend = [fault: string, mended: string]

const CONNECTION: Mend[] = [
  ['clearImmediate(nextWriteTimer)', 'clearImmediate(nextWriteTimer), (chunk = nextWriteTimer = null)'],
  // After an error, too: between it and the end of the connection somebody may have asked anew.
  ['!hadError && (query || sent.length) && error(', ';(query || sent.length) && error('],
  // All connections of a pool share what the first has learnt: one answer is enough.
  [
    'types.forEach(({ oid, typarray }) => addArrayType(oid, typarray))',
    'types.forEach(({ oid, typarray }) => addArrayType(oid, typarray))\n    options.fetch_types = false',
  ],
  // The connection is gone then, and whoever it was opened for is told so.
  ['return fetchArrayTypes()', 'return void fetchArrayTypes().catch(() => {})'],
  // Who waits to reserve a connection is the first to have it, like everybody else for whom one is opened.
  ['initial.reserve && (initial = null)', ''],
  [
    `initial && !initial.reserve && execute(initial)
      options.shared.retries = retries = 0
      initial = null
      return`,
    `options.shared.retries = retries = 0
      const first = initial
      initial = null
      return void (first.reserve ? first.reserve(connection) : execute(first))`,
  ],
]

const POOL: Mend[] = [
  // The end of a connection ends what it was reserved for, for good: nothing of that goes on when it is open again.
  ['let savepoints = 0', 'let mine, savepoints = 0'],
  ['c.reserved = () => queries.length', 'c.reserved = mine = () => queries.length'],
  [
    'q.catch(e => uncaughtError || (uncaughtError = e))',
    `q.catch(e => uncaughtError || (uncaughtError = e))
        if (c.reserved !== mine) return q.reject(Errors.connection('CONNECTION_CLOSED', options))`,
  ],
  // Whoever has a connection opened to reserve it waits for that one, not in the queue as well.
  [
    `queries.push(query)
        closed.length && connect(closed.shift(), query)`,
    'closed.length ? connect(closed.shift(), query) : queries.push(query)',
  ],
  ['c.reserved = () => queue.length', 'const mine = c.reserved = () => queue.length'],
  ['sql.release = () => {', 'sql.release = () => {\n      if (c.reserved !== mine) return'],
  [
    `function handler(q) {
      c.queue === full`,
    `function handler(q) {
      if (c.reserved !== mine) return q.reject(Errors.connection('CONNECTION_CLOSED', options))
      c.queue === full`,
  ],
]

const MENDED: [file: RegExp, mends: Mend[]][] = [
  [/\/postgres\/src\/connection\.js$/, CONNECTION],
  [/\/postgres\/src\/index\.js$/, POOL],
]

registerHooks({
  load: (url, context, nextLoad) => {
    const loaded = nextLoad(url, context)
    const mends = MENDED.find(([file]) => file.test(url))?.[1]
    return mends ? { ...loaded, source: mend(String(loaded.source), mends) } : loaded
  },
})

/** @throws when the driver is no longer what it was: then look whether it still needs this */
function mend(source: string, mends: Mend[]): string {
  return mends.reduce((text, [fault, mended]) => {
    if (!text.includes(fault)) throw new Error(`postgres: its source has changed (${fault}): see core/driver.ts`)
    return text.replaceAll(fault, mended)
  }, source)
}

export const { default: postgres } = await import('postgres')
