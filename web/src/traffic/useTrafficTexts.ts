import { useTranslation } from 'react-i18next'
import { formatDay, MISSING, useFormat } from '../core/format.ts'
import { DAYS_IN_52_WEEKS, type EarlierPeriod, hasOtherLength, MONTHS_OF_YEAR, type Period, perDay } from './search.ts'

/** Texts and number formats of the pages. */
export function useTrafficTexts() {
  const { t } = useTranslation('traffic')
  const { number } = useFormat()
  const signed = (value: number, decimals: number) => {
    const rounded = Number(value.toFixed(decimals))
    return `${rounded > 0 ? '+' : rounded < 0 ? '−' : ''}${number(Math.abs(rounded), decimals)}`
  }
  const change = (value: number | null | undefined, before: number | null | undefined) =>
    value == null || !before ? MISSING : signed((value / before - 1) * 100, 1)
  return {
    number,
    /** Rounded to 10, as in cards. */
    tens: (value: number | null | undefined) => number(value == null ? value : Math.round(value / 10) * 10),
    /** A share between 0 and 1 as percent, without the sign. */
    percent: (share: number | null | undefined) => number(share == null ? share : share * 100, 1),
    /** +4,7; a dash without one of the values. */
    change,
    /** "+4,7 %" of counts; of periods of different length, such as months, "+4,7 % na dobę". */
    countChange: (
      [count, period]: [number, Period],
      [before, earlier]: [number, Period],
      weekdays: number[] | undefined,
    ) => {
      const value = change(perDay(count, period, weekdays), perDay(before, earlier, weekdays))
      return hasOtherLength(period, earlier, weekdays) ? t('change-per-day', { value }) : `${value} %`
    },
    /** Difference of shares in percentage points. */
    points: (share: number | null | undefined, before: number | null | undefined) =>
      share == null || before == null ? null : t('points', { value: signed((share - before) * 100, 1) }),
    signed,
    days: ({ from, until }: Period) => `${formatDay(from)}–${formatDay(until)}`,
    /** "tydzień wcześniej" */
    earlierName: ({ days, months }: EarlierPeriod) => {
      if (days === DAYS_IN_52_WEEKS || months === MONTHS_OF_YEAR) return t('earlier-year')
      return months
        ? t('earlier-months', { count: months })
        : t('earlier-weeks', { count: Math.round((days ?? 0) / 7) })
    },
  }
}
