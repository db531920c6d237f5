import { registerHooks } from 'node:module'

/*
 * The driver (postgres 3.4.9) as it is published has faults, and most need no more than a database that is killed
 * at the wrong moment: a write to a connection that has just closed throws where nobody can catch it, which ends the
 * process; a connection that closed with a write put off never writes again, for as long as the process lives; what is
 * asked between the error of a connection and its end is never answered; and a connection that dies while it asks anew
 * for the types of arrays ends the process, or forgets the transaction that waits for it. A fifth needs nothing: whoever
 * reserves a connection that must be opened for it waits for ever, unless it asks for those types.
 * Until there is a release without them its source is mended while it is loaded.
 * Why so: docs/decisions/060-the-driver-is-mended-while-it-is-loaded.md
 */

const MENDED = /\/postgres\/src\/connection\.js$/

const MENDS: [fault: string, mended: string][] = [
  ['clearImmediate(nextWriteTimer)', 'clearImmediate(nextWriteTimer), (chunk = nextWriteTimer = null)'],
  [
    'const x = socket.write(chunk, fn)',
    `if (socket === null) {
      chunk = nextWriteTimer = null
      error(Errors.connection('CONNECTION_CLOSED', options, socket))
      return false
    }
    const x = socket.write(chunk, fn)`,
  ],
  // After an error, too: between it and the end of the connection somebody may have asked anew.
  ['!hadError && (query || sent.length) && error(', ';(query || sent.length) && error('],
  // All connections of a pool share what the first has learnt: one answer is enough.
  [
    'types.forEach(({ oid, typarray }) => addArrayType(oid, typarray))',
    'types.forEach(({ oid, typarray }) => addArrayType(oid, typarray))\n    options.fetch_types = false',
  ],
  // Who waits to reserve a connection that asks for no types was never told that it is open.
  [
    `initial && !initial.reserve && execute(initial)
      options.shared.retries = retries = 0
      initial = null
      return`,
    `options.shared.retries = retries = 0
      const first = initial
      initial = null
      if (!first.reserve) return void execute(first)`,
  ],
]

registerHooks({
  load: (url, context, nextLoad) => {
    const loaded = nextLoad(url, context)
    return MENDED.test(url) ? { ...loaded, source: mend(String(loaded.source)) } : loaded
  },
})

/** @throws when the driver is no longer what it was: then look whether it still needs this */
function mend(source: string): string {
  return MENDS.reduce((text, [fault, mended]) => {
    if (!text.includes(fault)) throw new Error(`postgres: its source has changed (${fault}): see core/driver.ts`)
    return text.replaceAll(fault, mended)
  }, source)
}

export const { default: postgres } = await import('postgres')
