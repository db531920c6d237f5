import { type CalibrationReference, REFERENCE_VEHICLES } from '@rogatka/contract/calibration.ts'
import { type CalibrationHours, calibrationHours } from '@rogatka/contract/options.ts'
import { useTranslation } from 'react-i18next'
import { formatMinute, useFormat } from '../core/format.ts'

/** Placeholder for missing values in these tables. */
const MISSING = '-'

type DisplayedReference = Omit<CalibrationReference, 'finishedAt'> & { finishedAt: string | null }

/** Texts of values and references. */
export function useCalibrationTexts() {
  const { t } = useTranslation('calibration')
  const { number } = useFormat()
  const plain = (value: number | null, decimals: number) => (value === null ? MISSING : number(value, decimals))
  return {
    plain,
    signed: (percent: number | null) => `${percent !== null && percent >= 0.05 ? '+' : ''}${plain(percent, 1)}`,
    hours: calibrationHours.map((value) => ({ value: String(value), label: hoursName(value) })),
    hoursName,
    collected: (collected: number) =>
      t('collected', { collected: number(collected), needed: number(REFERENCE_VEHICLES) }),
    reference: ({ firstAxleAvg, counter, provisional, collected, finishedAt, finishedBy }: DisplayedReference) => {
      const load = number(firstAxleAvg)
      const texts = provisional
        ? t('provisional', { load, collected: number(collected), needed: number(REFERENCE_VEHICLES) })
        : t('reference', { load, count: counter, number: number(counter) })
      if (finishedAt === null) return `${texts}, ${t('never')}`
      const last = t('finished-at', { at: formatMinute(finishedAt) })
      return `${texts}, ${finishedBy === null ? last : `${last} (${finishedBy})`}`
    },
  }

  /** Hours below one day, days above. */
  function hoursName(hours: CalibrationHours): string {
    if (hours === 168) return t('week')
    return hours < 24 ? t('hours', { count: hours }) : t('days', { count: hours / 24 })
  }
}
