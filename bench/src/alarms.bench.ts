import { HOUR_MS, MINUTE_MS } from '@rogatka/domain/core/time.ts'
import { midnightBefore, missingOf, type Replay, ratesOf, replay, SPEED, STEP_MS } from './alarm-replay.ts'
import { isQuick, isRequested, type Measurement, type Table } from './bench.ts'
import { benchDatabase } from './database.ts'

/** A Tuesday. */
const DAY = midnightBefore(new Date('2026-10-20T10:00:00Z'))
const HOURS = isQuick ? 2 : 24
/** 92,000 vehicles a day: 8 stations at expressways, 16 at national roads. */
const STATIONS = 24
/** The same number of vehicles at 60 and 120 stations. */
const MANY = { stations: 180, traffic: 92_000 / 690_000 }
const REAL_MINUTES = isQuick ? 5 : 30

export const bench: Measurement = {
  summary: `Alarms of an operator of all stations in a day of 92,000 vehicles that stations post one by one, with an inspection open at each station, evaluated every ${STEP_MS / 1_000} s of the day as in a replay ${SPEED} times as fast. Left out: sockets, commits that wait for the disk, further operators, images, and how long responses take`,
  goal: 'at most 1 new alarm in 10 minutes in the median and 10 in the worst; every vehicle of the black list and on the wrong way shown in time',
  measure: async () => [await measureAlarms()],
}

async function measureAlarms(): Promise<Table> {
  const morning = new Date(DAY.getTime() + 7 * HOUR_MS)
  const day = { stations: STATIONS, traffic: 1, from: DAY, to: new Date(DAY.getTime() + HOURS * HOUR_MS) }
  const piece = { ...day, from: morning, to: new Date(morning.getTime() + REAL_MINUTES * MINUTE_MS) }
  const runs = [
    { name: `${STATIONS} stations`, ...day },
    { name: `${MANY.stations} stations`, ...day, ...MANY },
    { name: `${REAL_MINUTES} minutes from 7:00`, ...piece },
    { name: `the same in ${REAL_MINUTES / SPEED} minutes of real time`, ...piece, isReal: true },
  ].filter(({ name }) => isRequested(name))
  const rows: string[][] = []
  const notes: string[] = []
  const vehicleAlarms: string[] = []
  for (const { name, ...options } of runs) {
    const { db, url, drop } = await benchDatabase()
    try {
      const whole = await replay({ db, url, ...options })
      const result = { ...whole, raised: whole.raised.filter(({ raisedAt }) => new Date(raisedAt) < options.to) }
      const { median, worst, mean } = ratesOf(result, options.from, options.to)
      const { vehicles, violating, wrongWay, listed, raised, silentHigh } = result
      rows.push([
        name,
        vehicles.toLocaleString('en'),
        `${((100 * violating) / vehicles).toFixed(1)} %`,
        `${raised.length}`,
        mean.toFixed(2),
        `${median}`,
        `${worst}`,
        `${listed.length} + ${wrongWay.length}`,
        `${missingOf(whole).length}`,
        `${silentHigh}`,
      ])
      notes.push(`${name}: ${kindsOf(result)}; ${delayOf(result)}; ${result.seconds.toFixed(0)} s.`)
      if (options.from === piece.from) vehicleAlarms.push(keysOf(result))
    } finally {
      await drop()
    }
  }
  if (vehicleAlarms.length === 2)
    notes.push(
      `Alarms of vehicles of both pieces: ${vehicleAlarms[0] === vehicleAlarms[1] ? 'the same' : 'different'}.`,
    )
  const head = 'replay,vehicles,with violations,alarms,per 10 min,median,worst,listed + wrong way,missing,silent high'
  return { head: head.split(','), rows, notes }
}

/** How many alarms of each kind, most frequent first. */
function kindsOf({ raised }: Replay): string {
  const groups = [...Map.groupBy(raised, ({ kind }) => kind)].sort(([, a], [, b]) => b.length - a.length)
  return groups.map(([kind, { length }]) => `${kind} ${length}`).join(', ')
}

/** Longest time from a passage to its alarm. */
function delayOf({ raised }: Replay): string {
  const delays = raised.flatMap(({ kind, createdAt, raisedAt }) =>
    kind === 'wrong-way' && createdAt ? [Date.parse(raisedAt) - Date.parse(createdAt)] : [],
  )
  return `wrong way raised within ${Math.max(0, ...delays) / 1_000} s of the passage`
}

const keysOf = ({ raised }: Replay): string =>
  raised
    .flatMap(({ kind, subject }) => (subject === null ? [] : [`${kind} ${subject}`]))
    .sort()
    .join()
