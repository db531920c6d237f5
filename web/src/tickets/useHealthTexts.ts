import type { WireHealthCell, WireStationHealth } from '@rogatka/contract/tickets-health.ts'
import { durationText } from '@rogatka/domain/tickets/duration.ts'
import { useTranslation } from 'react-i18next'
import { MISSING, useFormat } from '../core/format.ts'
import { useLanguage } from '../core/language.ts'
import type { ShownCell } from './healthOrder.ts'

/** From this age on times are in full minutes. */
const SECONDS_UP_TO = 120

/** Texts of the table of station health. */
export function useHealthTexts() {
  const { t } = useTranslation('tickets')
  const language = useLanguage()
  const { number } = useFormat()
  const age = (seconds: number) => (seconds < SECONDS_UP_TO ? `${seconds} s` : durationText(Math.floor(seconds / 60)))
  const signed = (value: number, unit: string) => `${value > 0 ? '+' : ''}${number(value, 1)}\u00a0${unit}`
  /** Within a sentence: German keeps its capitals. */
  const inSentence = (text: string) =>
    language === 'de' ? text : `${text.slice(0, 1).toLocaleLowerCase(language)}${text.slice(1)}`

  /** The measured value of a cell. */
  const value = ({ kind, level, value, laneNumber }: WireHealthCell): string => {
    if (level === 'none') return t(kind === 'calibration-deviation' ? 'no-scale' : 'no-camera')
    if (kind === 'station-silent') {
      if (value === null) return t('not-started')
      return level === 'normal' ? age(value) : t('silence', { duration: age(value) })
    }
    if (value === null) return MISSING
    if (kind === 'clock-skew') return signed(value, 's')
    if (kind !== 'calibration-deviation') return `${number(value, 1)}\u00a0%`
    const deviation = signed(value, '%')
    return level === 'failure' && laneNumber !== null
      ? `${t('ui:lane-number', { lane: laneNumber })} ${deviation}`
      : deviation
  }

  /** The failing lanes of a cell. */
  const lanes = ({ kind, failures }: WireHealthCell): string =>
    kind === 'lane-silent'
      ? failures
          .flatMap(({ laneNumber }) => (laneNumber === null ? [] : t('ui:lane-number', { lane: laneNumber })))
          .join(', ')
      : ''

  const levels = {
    failure: t('state-bad'),
    attention: t('level-attention'),
    normal: t('state-well'),
    unknown: t('state-unknown'),
    none: '',
  }
  const title = ({ station, cell }: ShownCell) => `${station.location.shortName}, ${inSentence(t(`kind-${cell.kind}`))}`
  return {
    value,
    title,
    /** The state of a cell, and the lanes that fail. */
    level: (cell: WireHealthCell) => [levels[cell.level], lanes(cell)].filter(Boolean).join(', '),
    /** S61 Raczki, łączność, awaria, cisza 47 min */
    label: (shown: ShownCell) => {
      const measured = shown.cell.kind === 'lane-silent' ? lanes(shown.cell) : value(shown.cell)
      return [title(shown), levels[shown.cell.level], measured === MISSING ? '' : measured].filter(Boolean).join(', ')
    },
    /** Worst state of the days, in words. */
    days: (days: readonly string[]) => {
      const numbers = (state: string) => days.flatMap((one, i) => (one === state ? i + 1 : [])).join(', ')
      return (
        [
          numbers('failure') && t('days-failure', { days: numbers('failure') }),
          numbers('attention') && t('days-attention', { days: numbers('attention') }),
        ]
          .filter(Boolean)
          .join('; ') || t('days-normal')
      )
    },
    percent: (value: number | null) => number(value, 1),
    laneLabel: ({ laneNumber, level }: WireStationHealth['lanes'][number]) =>
      `${t('ui:lane-number', { lane: laneNumber })}: ${levels[level]}`,
    duration: (ms: number) => age(Math.max(0, Math.floor(ms / 1_000))),
  }
}
