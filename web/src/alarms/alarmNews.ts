import type { WireAlarm, WireAlarmList } from '@rogatka/contract/alarms.ts'
import { readStored, writeStored } from '../core/browserStorage.ts'
import { createStore } from '../core/store.ts'

/*
 * What is spoken about alarms, each of them once in this tab: a new high one at once, the others together. In a flood only
 * high ones are.
 */

/** Others are spoken at most once in this time. */
const INTERVAL_MS = 60_000
/** How long the text of a high alarm stays. */
const SPOKEN_MS = 10_000
/** Ids of alarms that were spoken, or open when the tab was opened; they survive a reload. */
const STORED = 'spoken-alarms'

export type AlarmNews = {
  high: readonly WireAlarm[]
  /** Spoken in one sentence. */
  others: readonly WireAlarm[]
  /** Whether `others` are high ones that were raised before the tab was opened. */
  areOlder: boolean
}

const NOTHING: AlarmNews = { high: [], others: [], areOlder: false }
export const alarmNews = createStore<AlarmNews>(NOTHING)

const MAX_STORED = 200

const readSpoken = () => new Set((readStored('session', STORED) ?? '').split(' '))

let spoken: Set<string> | null = null
let highUntil = 0
let othersAt = Number.NEGATIVE_INFINITY

const isNews = ({ state, isRepeating }: WireAlarm) => state === 'active' && !isRepeating

/** Speaks what is new in a list, at `now` in ms. */
export function updateNews({ content, isFlood }: Pick<WireAlarmList, 'content' | 'isFlood'>, now = performance.now()) {
  const isFirst = spoken === null
  spoken ??= readSpoken()
  const ids = spoken
  const fresh = content.filter((alarm) => isNews(alarm) && !ids.has(String(alarm.id)))
  const high = fresh.filter(({ priority }) => priority === 'high')
  const lower = isFlood ? [] : fresh.filter(({ priority }) => priority !== 'high')
  const isDue = isFirst || now - othersAt >= INTERVAL_MS
  const others = isFirst ? high : isDue ? lower : []
  const news = { ...alarmNews.get() }
  if (!isFirst && high.length > 0) {
    news.high = now < highUntil ? [...news.high, ...high] : high
    highUntil = now + SPOKEN_MS
  } else if (now >= highUntil && news.high.length > 0) news.high = []
  if (others.length > 0) {
    news.others = others
    news.areOlder = isFirst
    othersAt = now
  }
  // At first all of them are known.
  remember(isFirst ? fresh : [...high, ...others], ids)
  const before = alarmNews.get()
  if (news.high !== before.high || news.others !== before.others) alarmNews.set(news)
}

function remember(alarms: readonly WireAlarm[], ids: Set<string>) {
  if (alarms.length === 0) return
  for (const { id } of alarms) ids.add(String(id))
  writeStored('session', STORED, [...ids].slice(-MAX_STORED).join(' '))
}

/** Nothing is spoken any more: another user may see other alarms. */
export function clearNews(): void {
  spoken = null
  alarmNews.set(NOTHING)
}
