import type { ArchiveFilters } from '@rogatka/contract/archive.ts'
import type { Language } from '@rogatka/contract/languages.ts'
import { violations } from '@rogatka/contract/vehicle.ts'
import { rangeFields } from '@rogatka/contract/wire.ts'
import { normalisePlate } from '@rogatka/domain/vehicle/plate.ts'
import { splitReading } from '@rogatka/domain/vehicle/reading.ts'
import { numberFormat } from '../core/text.ts'
import { warsawTime } from '../core/warsaw.ts'
import { reportTexts, timeClassCountryCriteria } from '../reports/public-api.ts'
import { sortsOf } from './filter.ts'
import { archiveTexts } from './texts.ts'

/** The search criteria as label and text. */
export function criteriaOf(
  filters: ArchiveFilters,
  stationNames: ReadonlyMap<number, string>,
  language: Language,
): [string, string][] {
  const texts = archiveTexts(language)
  const { criteria, ranges, sorts } = texts
  const sharedTexts = reportTexts(language)
  const lines: [string, string][] = []
  const add = (label: string, value: string) => {
    if (value !== '') lines.push([label, value])
  }

  const { dateTimeStart, dateTimeEnd, locations, ctg8p1 = [], laneNumbers = [] } = filters
  add(
    criteria.range,
    archiveTexts.format(language, 'criteria.period', { from: warsawTime(dateTimeStart), to: warsawTime(dateTimeEnd) }),
  )
  add(criteria.locations, locations.map((id) => stationNames.get(id) ?? String(id)).join(', '))
  add(
    criteria.violations,
    violations
      .filter((violation) => filters[violation])
      .map((violation) => sharedTexts.violations[violation])
      .join(', '),
  )
  add(criteria.categories, ctg8p1.map((category) => sharedTexts.categories[category]).join(', '))
  add(criteria.lanes, laneNumbers.join(', '))
  lines.push(...timeClassCountryCriteria(filters, language))
  const { plates = [] } = filters
  const plate = plates.length > 0 ? null : normalisePlate(filters.plateLpr)
  add(criteria.plate, plates.map(formatReading).join(', '))
  if (plate) {
    const percent = numberFormat(language).format(filters.similarity ?? 0)
    add(
      criteria.plate,
      filters.similarity ? archiveTexts.format(language, 'criteria.similar', { plate, percent }) : plate,
    )
  }
  for (const field of rangeFields) {
    const bound = (name: 'min' | 'max') => {
      const value = filters[`${name}${field}`]
      const text = String(value).replace('.', language === 'en' ? '.' : ',')
      return value
        ? archiveTexts.format(language, name === 'min' ? 'criteria.from' : 'criteria.to', { [name]: text })
        : ''
    }
    add(ranges[field], [bound('min'), bound('max')].filter((one) => one !== '').join(' '))
  }
  if (filters.taggedOnly) add(criteria.tagged, criteria['tagged-only'])
  add(
    criteria.sort,
    sortsOf(filters)
      .map(({ column, direction }) => `${sorts[column]} ${sorts[direction]}`)
      .join(', '),
  )
  return lines
}

/** `WGM4K281 (PL)` */
function formatReading(reading: string): string {
  const [plate, nationality] = splitReading(reading)
  return nationality ? `${plate} (${nationality})` : plate
}
