import { useTranslation } from 'react-i18next'
import { FilterLine, FilterLines, FilterSection } from '../../ui/FilterSection.tsx'
import { formatMinute } from '../format.ts'

/** The range as URL parameters: ISO 8601 in UTC. */
type RangeParams = { dateTimeStart?: string | undefined; dateTimeEnd?: string | undefined }

type Props = {
  range: RangeParams
  /** Absent: no remove button. */
  onChange?: (range: RangeParams) => void
}

/** Active filters: the time range. */
export function ActiveRange({ range: { dateTimeStart, dateTimeEnd }, onChange }: Props) {
  const { t } = useTranslation('ui')
  if (!dateTimeStart && !dateTimeEnd) return null
  const remove = onChange && { onRemove: () => onChange({ dateTimeStart: undefined, dateTimeEnd: undefined }) }
  return (
    <FilterSection title={t('range')} {...remove}>
      <FilterLines>
        {dateTimeStart && <FilterLine figure={formatMinute(dateTimeStart)}>{t('from')}</FilterLine>}
        {dateTimeEnd && <FilterLine figure={formatMinute(dateTimeEnd)}>{t('to')}</FilterLine>}
      </FilterLines>
    </FilterSection>
  )
}
