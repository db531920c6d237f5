import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { hasRight } from '@rogatka/contract/access.ts'
import { type AlarmKind, alarmKinds, list } from '@rogatka/contract/alarms.ts'
import { isFlood, raisedLately } from '@rogatka/domain/alarms/flood.ts'
import { equipmentKinds } from '@rogatka/domain/alarms/kinds.ts'
import { compareAlarms } from '@rogatka/domain/alarms/state.ts'
import { DAY_MS, HOUR_MS } from '@rogatka/domain/core/time.ts'
import { startsOfShifts } from '@rogatka/domain/inspections/shift.ts'
import type { FastifyBaseLogger } from 'fastify'
import { isAnonymised } from '../core/anonymity.ts'
import { type Pool, SNAPSHOT } from '../core/database.ts'
import { type AlarmRow, CHANNEL, lastClosed, openAlarms, raisedSince } from './queries.ts'
import { alarmView, type Viewer, visibleKinds } from './view.ts'

/** A flood is recognised from the alarms of this time: one that lasts longer is found from its later part. */
const FLOOD_LOOKBACK_MS = 6 * HOUR_MS
const RETRY_DELAY_MS = 500
/** How long an encoded list is served to viewers with the same rights. */
const CACHE_TTL_MS = 500

type Snapshot = {
  alarms: AlarmRow[]
  raised: { kind: AlarmKind; raisedAt: Date }[]
  /** When the last alarm left the list, of all kinds and of equipment. */
  closedAt: { all: Date | null; equipment: Date | null }
}

type EncodedList = { version: string; json: Buffer; at: Date }

export type AlarmBoard = ReturnType<typeof createAlarmBoard>

/**
 * Open alarms in the memory of this process, read again at each notification. A list is encoded once for all viewers who are
 * shown the same, so that polls of many screens cost neither queries nor encoding.
 */
export function createAlarmBoard(
  db: Pool,
  { now, shiftStarts, log }: { now: () => Date; shiftStarts: readonly string[]; log: Pick<FastifyBaseLogger, 'warn'> },
) {
  let snapshot: Snapshot | undefined
  let lists = new Map<string, EncodedList>()
  let isDirty = false
  let isStopped = false
  let reading: Promise<void> | undefined
  const firstRead = Promise.withResolvers<void>()

  async function read() {
    const [alarms, raised, all, equipment] = await db.transaction(
      (db) =>
        Promise.all([
          openAlarms(db),
          raisedSince(db, new Date(now().getTime() - FLOOD_LOOKBACK_MS)),
          lastClosed(db, alarmKinds),
          lastClosed(db, equipmentKinds),
        ]),
      { mode: SNAPSHOT },
    )
    snapshot = { alarms, raised, closedAt: { all, equipment } }
    lists = new Map()
    firstRead.resolve()
  }

  const refresh = (): Promise<void> => {
    isDirty = true
    reading ??= (async () => {
      while (isDirty && !isStopped) {
        isDirty = false
        try {
          await read()
        } catch (error) {
          if (isStopped) return
          log.warn({ err: error }, 'alarms: list not read, retrying')
          isDirty = true
          await sleep(RETRY_DELAY_MS, undefined, { ref: false })
        }
      }
    })().finally(() => {
      reading = undefined
    })
    return reading
  }

  function encodeList(
    { alarms, raised, closedAt }: Snapshot,
    viewer: Viewer,
    kinds: readonly AlarmKind[],
    at: Date,
  ): EncodedList {
    const times = raised.filter(({ kind }) => kinds.includes(kind)).map(({ raisedAt }) => raisedAt)
    const flood = isFlood(times, at)
    const content = alarms
      .filter(({ kind }) => kinds.includes(kind))
      .map((row) => alarmView(row, viewer, flood, at))
      .sort(compareAlarms)
    const isEmpty = content.every(({ state }) => state === 'shelved')
    const value = {
      content,
      lastTenMinutes: raisedLately(times, at),
      isFlood: flood,
      emptySince: isEmpty ? (kinds === alarmKinds ? closedAt.all : closedAt.equipment) : null,
      shiftEndsAt: startsOfShifts(shiftStarts, at, new Date(at.getTime() + 2 * DAY_MS))[1] ?? at,
    }
    const version = createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 16)
    return { version, json: Buffer.from(JSON.stringify(list.response.encode({ version, ...value }))), at }
  }

  return {
    /** Resolves when the list is known for the first time. */
    ready: firstRead.promise,
    /** The list of a viewer; undefined until it is known. */
    list(viewer: Viewer): EncodedList | undefined {
      if (!snapshot) return undefined
      const kinds = visibleKinds(viewer)
      const key = [kinds.length, isAnonymised(viewer), hasRight(viewer.permissions, 'AlarmShelving')].join()
      const at = now()
      const cached = lists.get(key)
      if (cached && Math.abs(at.getTime() - cached.at.getTime()) < CACHE_TTL_MS) return cached
      const next = encodeList(snapshot, viewer, kinds, at)
      lists.set(key, next)
      return next
    },
    /** Reads the alarms again, after a change by this process. */
    refresh,
    channel: CHANNEL,
    clear: () => void refresh(),
    setListening: (to: boolean) => {
      if (to) void refresh()
    },
    stop: async () => {
      isStopped = true
      await reading
    },
  }
}
