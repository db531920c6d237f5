import { useTranslation } from 'react-i18next'
import { formatNumber, MISSING } from '../core/format.ts'
import { useLanguage } from '../core/language.ts'
import type { Rate } from './useEffectiveness.ts'

/** Texts and number formats of the page. */
export function useEffectivenessTexts() {
  const { t } = useTranslation('inspections')
  const language = useLanguage()
  const tenths = (value: number | null) => formatNumber(language, value, 1)
  const whole = (value: number) => formatNumber(language, value)
  /** +2,4 without the unit. */
  const signed = (value: number | null) => `${value !== null && value > 0 ? '+' : ''}${tenths(value)}`
  const share = (part: number, of: number) => t('effectiveness-share', { part: whole(part), of: whole(of) })
  return {
    tenths,
    whole,
    signed,
    /** 5 z 6 */
    share,
    /** 93,7; "5 z 6" if there are too few. */
    rate: ({ part, of, percent }: Rate) =>
      percent === null ? (of === 0 ? MISSING : share(part, of)) : tenths(percent),
    /** 90,8–95,8; null if there are too few. */
    interval: ({ low, high }: Rate) => (low === null || high === null ? null : `${tenths(low)}–${tenths(high)}`),
    laneName: (station: string, lane: number) => t('effectiveness-lane', { station, lane }),
  }
}
