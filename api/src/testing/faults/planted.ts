import { registerHooks } from 'node:module'
import type { Feature } from './scenario.ts'

/** A change of the portal's code that breaks an invariant. `find` occurs once in the file. */
type PlantedFault = { what: string; file: string; find: string; replace: string }

/** Faults that the simulation has to find, by name. */
export const PLANTED: Record<string, PlantedFault> = {
  'acknowledged-before-commit': {
    what: 'A transaction does not wait for its COMMIT',
    file: 'core/database.ts',
    find: `: await runInside(raw('commit'))`,
    replace: `: (runInside(raw('commit')).catch(() => {}), { command: 'COMMIT' })`,
  },
  'failure-acknowledged': {
    what: 'Posts whose transaction failed are acknowledged',
    file: 'core/group-commit.ts',
    find: 'else for (const { reject } of group) reject(error)',
    replace: 'else for (const { resolve } of group) resolve(new Set() as never)',
  },
  'repeats-counted': {
    what: 'The hourly roll-up counts vehicles that were stored before',
    file: 'ingest/queries.ts',
    find: '{countHours(sql`new_vehicle`)}',
    replace: '{countHours(sql`input`)}',
  },
  'repeats-accepted': {
    what: 'Vehicles that were stored before are reported as new',
    file: 'ingest/store.ts',
    find: 'part.vehicles.map(keyOf).filter((key) => unassigned.delete(key))',
    replace: 'part.vehicles.map(keyOf)',
  },
  'changed-repeats-accepted': {
    what: 'A repeated sequence with other content is taken for a duplicate',
    file: 'ingest/batch.ts',
    find: 'return [first, ...others].filter((vehicle) => !isStoredAs(stored, vehicle))',
    replace: 'return []',
  },
  'lost-announcement': {
    what: 'Vehicles that could not be read after their notification are given up',
    file: 'current/live-window.ts',
    find: 'pending = [...events, ...pending]',
    replace: '',
  },
  'announcement-while-loading': {
    what: 'Notifications that arrive while the live window is loaded are dropped',
    file: 'current/live-window.ts',
    find: '        pending.push(event)',
    replace: '        if (isLoading) return\n        pending.push(event)',
  },
  'window-kept-after-loss': {
    what: 'The live window is not loaded again after its connection was lost',
    file: 'current/live-window.ts',
    find: 'if (!(await rebuild())) return',
    replace: 'if (!window && !(await rebuild())) return',
  },
  'silence-unnoticed': {
    what: 'A LISTEN connection that no longer answers is kept',
    file: 'core/listen.ts',
    find: `if (answer === 'gone') break`,
    replace: '',
  },
  'loaded-order-trusted': {
    what: 'The order of loaded vehicles is taken for that of their commits',
    file: 'current/window.ts',
    find: `    ? entry.loaded && entry.receivedAt.getTime() <= last.receivedAt.getTime() - ORDER_UNCERTAINTY_MS`,
    replace: '    ? entry === last',
  },
  'message-outside-transaction': {
    what: 'Messages about wanted vehicles are looked for outside the transaction that stores these',
    file: 'ingest/store.ts',
    find: 'async (db) => {\n            const inserted = await insertVehicles(db, ',
    replace: 'async (transaction) => {\n            const inserted = await insertVehicles(transaction, ',
  },
  'double-send': {
    what: 'A message that is recorded as sent is sent by a job that runs again',
    file: 'core/outbox.ts',
    find: `where id = \${id} and sent_at is null and kind = any`,
    replace: `where id = \${id} and kind = any`,
  },
  'recorded-before-sending': {
    what: 'A message is recorded as sent before it is sent',
    file: 'core/outbox.ts',
    find: 'if (message) await channel.mailer.send(',
    replace: `await db.execute(sql\`update outbox set sent_at = \${now}::timestamptz where id = \${id}\`)\n    if (message) await channel.mailer.send(`,
  },
  'key-of-attempt': {
    what: 'Each attempt to send a message has an idempotency key of its own',
    file: 'core/outbox.ts',
    find: 'notification.createdAt.getTime()}` })',
    replace: 'now.getTime()}` })',
  },
  'dead-sender-trusted': {
    what: 'A message whose sender has died is left to it',
    file: 'core/outbox.ts',
    find: `else j.locked_at > now() - \${\`\${LEASE_MS} ms\`}::interval end`,
    replace: 'else true end',
  },
  'early-image': {
    what: 'The row of an image is written before its file',
    file: 'ingest/images.ts',
    find: `    await files.put(imagePath(key, { type, sha256 }), bytes)
    // Repeats are notified too: the first response may have been lost.
    await upsert({ ...key, type, size: bytes.length, sha256, receivedAt: now })`,
    replace: `    await upsert({ ...key, type, size: bytes.length, sha256, receivedAt: now })
    await files.put(imagePath(key, { type, sha256 }), bytes)`,
  },
  'image-acknowledged-early': {
    what: 'An image is acknowledged before its row is committed',
    file: 'ingest/images.ts',
    find: '    await upsert({ ...key, type, size: bytes.length, sha256, receivedAt: now })',
    replace: '    upsert({ ...key, type, size: bytes.length, sha256, receivedAt: now }).catch(() => {})',
  },
  'done-without-answer': {
    what: 'A command that the sign did not answer is reported as done',
    file: 'vms/controller/execute.ts',
    find: 'if (error instanceof SignError) return error.code',
    replace: `if (error instanceof SignError) return error.isNoAnswer ? 'done' : error.code`,
  },
  'oldest-command-first': {
    what: 'The oldest command of a sign supersedes the newer ones',
    file: 'vms/controller/queries.ts',
    find: 'open.findLast(({ userId }) => userId !== null)',
    replace: 'open.find(({ userId }) => userId !== null)',
  },
  'unanswered-not-settled': {
    what: 'Commands without an answer are settled without looking at the sign',
    file: 'vms/controller/settle.ts',
    find: 'if (!sign || sign.unsettled.length === 0) return\n',
    replace: 'if (sign) await markSettled(context.db, sign.unsettled)\n  if (sign) return\n  if (!sign) return\n',
  },
  'command-start-unrecorded': {
    what: 'It is not recorded that a command is being sent to the sign',
    file: 'vms/controller/execute.ts',
    find: 'if (isSent) await markStarted(db, command.id, now())',
    replace: '',
  },
  'ticket-not-searched': {
    what: 'A ticket is created again without looking for the one of an attempt that was not answered',
    file: 'tickets/push.ts',
    find: '  if (link.attemptedAt) {',
    replace: '  if (link.attemptedAt && link.id < 0) {',
  },
  'ticket-attempt-unrecorded': {
    what: 'The attempt to create a ticket is not recorded before it',
    file: 'tickets/push.ts',
    find: '  await recordInTime(clock, (at) => recordAttempt(db, link.id, page, at))\n',
    replace: '',
  },
  'ticket-attempt-not-settled': {
    what: 'A ticket is created again although an earlier request may still take effect',
    file: 'tickets/push.ts',
    find: '    assertAttemptOver(link.attemptedAt, clock())\n',
    replace: '',
  },
  'later-version-recorded': {
    what: 'The version of a ticket at the end of its transmission is recorded instead of the one sent',
    file: 'tickets/service-queries.ts',
    find: `service_number = \${remote.number}, pushed_version = \${version},\n      remote_status = \${remote.status}, remote_owner`,
    replace: `service_number = \${remote.number}, pushed_version = (select version from ticket where id = \${ticketId}),\n      remote_status = \${remote.status}, remote_owner`,
  },
}

/** What has to take part in a history that can find a fault; null: it takes part in all. */
export function featureOf(name: string): Feature | null {
  const file = PLANTED[name]?.file ?? ''
  if (file.startsWith('tickets/')) return 'tickets'
  if (file.startsWith('vms/')) return 'signs'
  return file === 'ingest/images.ts' ? 'images' : null
}

/** Loads the portal's code with a planted fault. Call it before that code is imported. @throws if the code has changed */
export function plant(name: string): void {
  const fault = PLANTED[name]
  if (!fault) throw new Error(`unknown fault ${name}; known are ${Object.keys(PLANTED).join(', ')}`)
  const { href } = new URL(`../../${fault.file}`, import.meta.url)
  registerHooks({
    load: (url, context, nextLoad) => {
      const loaded = nextLoad(url, context)
      if (url !== href) return loaded
      const source = String(loaded.source)
      if (source.split(fault.find).length !== 2) throw new Error(`${name}: ${fault.file} has changed`)
      return { ...loaded, source: source.replace(fault.find, () => fault.replace) }
    },
  })
}
