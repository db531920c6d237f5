import { formatHours, weekdayNames } from '@rogatka/domain/core/calendar.ts'
import { useTranslation } from 'react-i18next'
import { useLanguage } from '../core/language.ts'
import type { TimeClassCountryFilters } from './timeClassCountry.ts'

/** The filters by weekday, hour, COST 323 class and country in words, for paper. */
export function usePrintedTimeClassCountry({
  hours,
  weekdays,
  ctg323,
  nationalities,
}: TimeClassCountryFilters): string[] {
  const { t } = useTranslation('vehicle')
  const dayNames = weekdayNames(useLanguage(), 'long')
  return [
    weekdays && `${t('weekdays')}: ${weekdays.map((weekday) => dayNames[weekday]).join(', ')}`,
    hours && `${t('hours-of-day')}: ${formatHours(hours)}`,
    ctg323 && `${t('cost-classes')}: ${ctg323.map((one) => (one === 0 ? t('cost-class-none') : one)).join(', ')}`,
    nationalities &&
      `${t('nationalities')}: ${nationalities.map((code) => (code === '-' ? t('no-nationality') : code)).join(', ')}`,
  ].filter((text) => text !== undefined)
}
