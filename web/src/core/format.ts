import type { Language } from '@rogatka/contract/languages.ts'
import { useLanguage } from './language.ts'

/** Placeholder for missing values. */
export const MISSING = '–'

const NO_BREAK_SPACE = '\u00a0'
const MINUS = '\u2212'

type Instant = Date | string | number
type Maybe<T> = T | null | undefined

const SEPARATORS: Record<Language, { thousands: string; decimal: string }> = {
  pl: { thousands: NO_BREAK_SPACE, decimal: ',' },
  en: { thousands: ',', decimal: '.' },
  lt: { thousands: NO_BREAK_SPACE, decimal: ',' },
  de: { thousands: NO_BREAK_SPACE, decimal: ',' },
  ro: { thousands: NO_BREAK_SPACE, decimal: ',' },
}

/** Formats a number with the separators of the language. */
export function formatNumber(language: Language, value: Maybe<number>, decimals = 0): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return MISSING
  const [whole = '', fraction] = Math.abs(value).toFixed(decimals).split('.')
  const { thousands, decimal } = SEPARATORS[language]
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, thousands)
  const digits = fraction === undefined ? grouped : grouped + decimal + fraction
  return value < 0 && /[1-9]/.test(digits) ? MINUS + digits : digits
}

const divide = (value: Maybe<number>, divisor: number) =>
  value === null || value === undefined ? value : value / divisor

/** kg as tonnes with two decimals, without the unit: 46900 → 46,90. */
export const formatTonnes = (language: Language, kg: Maybe<number>): string =>
  formatNumber(language, divide(kg, 1000), 2)

/** cm as metres with two decimals, without the unit: 1642 → 16,42. */
export const formatMetres = (language: Language, cm: Maybe<number>): string =>
  formatNumber(language, divide(cm, 100), 2)

/** Percent over a limit, with sign: 9.6 → +9,6 %. */
export function formatExcess(language: Language, percent: Maybe<number>): string {
  const text = formatNumber(language, percent, 1)
  return text === MISSING ? text : `${(percent ?? 0) > 0 ? '+' : ''}${text}${NO_BREAK_SPACE}%`
}

const warsaw = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Europe/Warsaw',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
})

type Parts = Record<'year' | 'month' | 'day' | 'hour' | 'minute' | 'second', string>

function partsOf(instant: Maybe<Instant>): Parts | null {
  if (instant === null || instant === undefined || instant === '') return null
  const date = new Date(instant)
  if (Number.isNaN(date.getTime())) return null
  return Object.fromEntries(warsaw.formatToParts(date).map(({ type, value }) => [type, value])) as Parts
}

/** DD.MM.YYYY in Polish time. */
export function formatDate(instant: Maybe<Instant>): string {
  const at = partsOf(instant)
  return at ? `${at.day}.${at.month}.${at.year}` : MISSING
}

/** HH:mm:ss in Polish time. */
export function formatTime(instant: Maybe<Instant>): string {
  const at = partsOf(instant)
  return at ? `${at.hour}:${at.minute}:${at.second}` : MISSING
}

/** HH:mm in Polish time. */
export function formatClock(instant: Maybe<Instant>): string {
  const at = partsOf(instant)
  return at ? `${at.hour}:${at.minute}` : MISSING
}

/** DD.MM.YYYY HH:mm in Polish time. */
export function formatMinute(instant: Maybe<Instant>): string {
  const at = partsOf(instant)
  return at ? `${formatDate(instant)} ${formatClock(instant)}` : MISSING
}

/** DD.MM.YYYY HH:mm:ss in Polish time. */
export function formatDateTime(instant: Maybe<Instant>): string {
  const at = partsOf(instant)
  return at ? `${formatDate(instant)} ${formatTime(instant)}` : MISSING
}

/** `2026-11-30` → 30.11.2026. */
export const formatDay = (day: string): string => day.split('-').reverse().join('.')

/** Number formats of the current language. */
export function useFormat() {
  const language = useLanguage()
  return {
    /** Decimal sign. */
    decimal: SEPARATORS[language].decimal,
    number: (value: Maybe<number>, decimals?: number) => formatNumber(language, value, decimals),
    tonnes: (kg: Maybe<number>) => formatTonnes(language, kg),
    metres: (cm: Maybe<number>) => formatMetres(language, cm),
    excess: (percent: Maybe<number>) => formatExcess(language, percent),
  }
}
