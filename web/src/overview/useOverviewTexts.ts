import type { WireOverviewStation } from '@rogatka/contract/overview.ts'
import { DAY_MS } from '@rogatka/domain/core/time.ts'
import { isWorking, type Sum } from '@rogatka/domain/overview/roads.ts'
import { useTranslation } from 'react-i18next'
import { serverNow } from '../core/clock.ts'
import { formatClock, formatDate, MISSING, useFormat } from '../core/format.ts'
import type { Status } from '../ui/StatusMark.tsx'
import type { OverviewRow } from './useOverview.ts'

export const SIGN_MARKS = {
  fault: 'malfunction',
  unavailable: 'unavailable',
  lit: 'enabled',
  available: 'working',
} as const satisfies Record<string, Status>

/** The name of a station without its road, which is shown beside it. */
export const nameWithoutRoad = ({ location: { shortName, roadNumber } }: OverviewRow): string =>
  shortName.startsWith(`${roadNumber} `) ? shortName.slice(roadNumber.length + 1) : shortName

/** The name of a station with its road. */
export const fullName = ({ location: { shortName, roadNumber } }: OverviewRow): string =>
  shortName.startsWith(roadNumber) ? shortName : `${roadNumber} ${shortName}`

/** Time of a moment of the last day, else its day and month. */
export const shortTime = (at: number, now: number): string =>
  now - at < DAY_MS ? formatClock(at) : formatDate(at).slice(0, 5)

type Signs = NonNullable<WireOverviewStation['signs']>

/** Figures and sentences of stations and roads. */
export function useOverviewTexts() {
  const { t } = useTranslation('overview')
  const { number } = useFormat()

  /** State of the worst sign: "awaria: piksele", "KONTROLA", "dostępne". */
  const signState = ({ state, faults, shows }: Signs): string => {
    if (state === 'fault' && faults[0]) return t('vms:malfunction-of', { faults: t(`vms:fault-${faults[0]}`) })
    if (state === 'lit' && shows) return shows.text ?? t(`sign-shows-${shows.kind}`)
    return t(`state-${state}`)
  }
  /** "3 z 3 znaków", at a fault with the number of the sign. */
  const signCount = ({ working, total, state, signNumber }: Signs): string => {
    const count = t('signs-of', { working, total })
    return state === 'fault' && signNumber !== null ? t('sign-number', { number: signNumber, count }) : count
  }
  const difference = (percent: number | null): string =>
    percent === null ? MISSING : `${Math.round(percent) > 0 ? '+' : ''}${number(Math.round(percent))}\u00a0%`
  const perHour = (vehicles: number | null): string =>
    vehicles === null ? t('spoken-no-vehicles') : t('spoken-vehicles', { count: vehicles, shown: number(vehicles) })
  /** `weighed`: too few for a share. */
  const overloaded = (percent: number | null, weighed: number | null = null): string => {
    if (percent !== null) return t('spoken-overloaded', { percent: number(percent, 1) })
    return weighed === null ? '' : t('weighed', { count: weighed })
  }
  const countOf = (key: 'spoken-wanted' | 'spoken-tickets', count: number | null): string =>
    count ? t(key, { count }) : ''
  const sentenceOf = (parts: readonly string[]): string => parts.filter(Boolean).join(', ')

  return {
    signState,
    signCount,
    difference,
    /** A station in one sentence. */
    stationSentence: (row: OverviewRow): string => {
      const { condition, alarm } = row
      const { silentSince, lastMessageAt, perHour: traffic, signs } = condition
      const feed = silentSince
        ? t('silent-since', { time: shortTime(Date.parse(silentSince), serverNow()) })
        : lastMessageAt === null
          ? t('never-sent')
          : perHour(traffic.vehicles)
      return sentenceOf([
        fullName(row),
        feed,
        isWorking(condition) && traffic.vehicles !== null && traffic.usual
          ? t(`traffic-${traffic.unusual ?? 'usual'}`)
          : '',
        overloaded(condition.overloaded.percent, condition.overloaded.weighed),
        countOf('spoken-wanted', condition.wanted),
        countOf('spoken-tickets', condition.tickets),
        signs ? t('spoken-signs', { state: signState(signs), count: signCount(signs) }) : '',
        alarm === 'high' ? t('alarm-high') : '',
        alarm === 'medium' ? t('alarm-medium') : '',
      ])
    },
    /** A road in one sentence. */
    roadSentence: (road: string, sum: Sum): string =>
      sentenceOf([
        road,
        t('spoken-working', { working: sum.working, total: sum.stations }),
        perHour(sum.vehicles),
        sum.difference === null ? '' : t('spoken-difference', { percent: difference(sum.difference) }),
        overloaded(sum.overloaded),
        countOf('spoken-wanted', sum.wanted),
        countOf('spoken-tickets', sum.tickets),
        sum.signs === null ? '' : t('signs-of', { working: sum.workingSigns, total: sum.signs }),
      ]),
    /** States of all stations: "6 stacji: 3 w normie, 1 milczy". Each counts once, by the worst. */
    summary: (rows: readonly OverviewRow[]): string => {
      const silent = rows.filter(({ condition }) => condition.silentSince !== null)
      const faulty = rows.filter(
        ({ condition }) => condition.silentSince === null && condition.signs?.state === 'fault',
      )
      const others = rows.filter((row) => !silent.includes(row) && !faulty.includes(row))
      const unusual = others.filter(({ condition }) => condition.perHour.unusual !== null)
      const unknown = others.filter(({ condition }) => condition.lastMessageAt === null)
      const usual = others.length - new Set([...unusual, ...unknown]).size
      const states = [
        t('summary-usual', { count: usual }),
        silent.length > 0 ? t('summary-silent', { count: silent.length }) : '',
        faulty.length > 0 ? t('summary-faulty', { count: faulty.length }) : '',
        unusual.length > 0 ? t('summary-unusual', { count: unusual.length }) : '',
        unknown.length > 0 ? t('summary-unknown', { count: unknown.length }) : '',
      ]
      return t('summary', { count: rows.length, states: sentenceOf(states) })
    },
  }
}
