import type { Vehicle } from '@rogatka/contract/vehicle.ts'
import { type AlarmTimers, evaluateAlarms, isClosedWhenCleared, REPEAT_MS } from '@rogatka/domain/alarms/engine.ts'
import { type AlarmSource, alarmRules } from '@rogatka/domain/alarms/kinds.ts'
import type { Stations } from '@rogatka/domain/alarms/vehicles.ts'
import type { FastifyBaseLogger } from 'fastify'
import type { Pool } from '../core/database.ts'
import { type Leadership, runAsLeader } from '../core/leader.ts'
import { LOCKS } from '../core/locks.ts'
import { stationsWithOpenInspections } from '../inspections/public-api.ts'
import { overheightAlarmStations } from '../locations/public-api.ts'
import { type Cause, type ObserverConfig, observers, observeVehicles } from './observe.ts'
import {
  type AlarmRow,
  CHANNEL,
  clearAlarm,
  currentAlarms,
  insertAlarm,
  notifyAlarms,
  repeatAlarm,
  returnAlarm,
} from './queries.ts'

/** Interval of the main loop: an alarm is raised this long after its cause was seen. */
const TICK_MS = 500
/** How often the stations that need alarms of vehicles are read. */
const STATIONS_POLL_MS = 5_000

/** Repeats the work of the leader, and measures the time between two readings of a source. */
export type AlarmScheduler = { repeat: (work: () => Promise<void>) => () => void; elapsedMs: () => number }

const EVERY_TICK: AlarmScheduler = {
  repeat: (work) => {
    const timer = setInterval(() => void work(), TICK_MS).unref()
    void work()
    return () => clearInterval(timer)
  },
  elapsedMs: () => performance.now(),
}

type Context = {
  db: Pool
  config: ObserverConfig
  /** The live vehicles of this process, from memory; undefined while they are not known. */
  liveVehicles: () => Iterable<Vehicle> | undefined
  now: () => Date
  log: Pick<FastifyBaseLogger, 'warn'>
  /** For a replay with its own clock; default: every TICK_MS. */
  scheduler?: AlarmScheduler | undefined
}

/**
 * Raises and clears alarms, as leader: one process at a time. What is open is in the database, with one row for each kind and
 * subject, so that another process continues. Vehicles are read from the live window, so that ingest does nothing for alarms.
 */
export const runAlarms = (context: Context): { stop: () => Promise<void> } =>
  runAsLeader(context.db, { lock: LOCKS.alarms, channel: CHANNEL }, () => startLeading(context))

function startLeading({ db, config, liveVehicles, now, log, scheduler = EVERY_TICK }: Context): Leadership {
  const sources = observers(db, config).map((source) => ({ ...source, dueAt: 0 }))
  const observations = new Map<AlarmSource, readonly Cause[]>()
  let stations: Stations | undefined
  let stationsDueAt = 0
  let timers: AlarmTimers = new Map()
  let alarms: AlarmRow[] = []
  let isStale = true
  let isStopped = false
  let running: Promise<void> | undefined

  /** Reads what is due. A source that fails keeps what it observed. */
  async function observe() {
    if (stationsDueAt <= scheduler.elapsedMs()) {
      stationsDueAt = scheduler.elapsedMs() + STATIONS_POLL_MS
      stations = {
        inspecting: new Set(await stationsWithOpenInspections(db)),
        overheight: new Set(await overheightAlarmStations(db)),
      }
    }
    for (const source of sources) {
      if (source.dueAt > scheduler.elapsedMs() || isStopped) continue
      source.dueAt = scheduler.elapsedMs() + source.everyMs
      try {
        observations.set(source.source, await source.observe(now()))
      } catch (error) {
        log.warn({ err: error, source: source.source }, 'alarms: source not read, retrying')
      }
    }
    const vehicles = liveVehicles()
    if (vehicles && stations) observations.set('vehicles', observeVehicles(vehicles, stations, now()))
  }

  async function update() {
    await observe()
    if (isStopped) return
    if (isStale) {
      isStale = false
      try {
        alarms = await currentAlarms(db, new Date(now().getTime() - REPEAT_MS))
      } catch (error) {
        isStale = true
        throw error
      }
    }
    const at = now()
    const result = evaluateAlarms(alarms, observations, timers, at)
    timers = result.timers
    if (result.changes.length === 0) return
    isStale = true
    const byId = new Map(alarms.map((alarm) => [alarm.id, alarm]))
    await db.transaction(async (db) => {
      for (const change of result.changes) {
        if (change.type === 'return') {
          await returnAlarm(db, change.id, at)
        } else if (change.type === 'clear') {
          const isClosed = isClosedWhenCleared(byId.get(change.id) as AlarmRow, at)
          await clearAlarm(db, { ...change, isClosed }, at)
        } else if (change.type === 'repeat') {
          await repeatAlarm(db, { ...change, value: change.condition.value })
        } else {
          const { endsAt = null, ...about } = change.condition
          await insertAlarm(db, { ...about, endsAt, priority: alarmRules[about.kind].priority, raisedAt: at })
        }
      }
      await notifyAlarms(db)
    })
  }

  const tick = async () => {
    if (isStopped) return
    running ??= update()
      .catch((error) => {
        if (!isStopped) log.warn({ err: error }, 'alarms: not evaluated, retrying')
      })
      .finally(() => {
        running = undefined
      })
    await running
  }
  const stopRepeating = scheduler.repeat(tick)

  return {
    onNotify: (payload) => {
      isStale = true
      if (payload === 'observe') {
        stationsDueAt = 0
        for (const source of sources) source.dueAt = 0
      }
    },
    stop: async () => {
      isStopped = true
      stopRepeating()
      await running
    },
  }
}
