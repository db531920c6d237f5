const HOUR_MS = 3_600_000

const wall = new Intl.DateTimeFormat('en-US', {
  timeZone: 'Europe/Warsaw',
  hourCycle: 'h23',
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
})

/** Offsets by hour: asking for one is slow, and a report asks for each hour thousands of times. */
const offsets = new Map<number, number>()

/** ms by which the clocks in Warsaw are ahead of UTC; they change on the full hour. */
function offsetAt(at: Date): number {
  const hour = Math.floor(at.getTime() / HOUR_MS)
  let offset = offsets.get(hour)
  if (offset === undefined) {
    const part = Object.fromEntries(wall.formatToParts(hour * HOUR_MS).map(({ type, value }) => [type, Number(value)]))
    const { year = 0, month = 1, day = 1, hour: hours = 0 } = part
    offset = Date.UTC(year, month - 1, day, hours) - hour * HOUR_MS
    if (offsets.size > 20_000) offsets.clear()
    offsets.set(hour, offset)
  }
  return offset
}

/** The date whose UTC fields show what the clocks in Warsaw show. */
export const warsawClock = (at: Date): Date => new Date(at.getTime() + offsetAt(at))

/** 20.10.2026 */
export function warsawDate(at: Date): string {
  const iso = warsawClock(at).toISOString()
  return `${iso.slice(8, 10)}.${iso.slice(5, 7)}.${iso.slice(0, 4)}`
}

/** 20.10.2026 10:15:24 */
export function warsawTime(at: Date): string {
  const iso = warsawClock(at).toISOString()
  return `${iso.slice(8, 10)}.${iso.slice(5, 7)}.${iso.slice(0, 4)} ${iso.slice(11, 19)}`
}

/** 20_10_2026_10_15_24, for names of files. */
export const warsawStamp = (at: Date): string => warsawTime(at).replace(/\W/g, '_')
