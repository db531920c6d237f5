import { useTranslation } from 'react-i18next'
import { LegendList } from '../../ui/LegendList.tsx'
import { StatusMark } from '../../ui/StatusMark.tsx'

/** Legend of the station status marks. */
export function Legend() {
  const { t } = useTranslation()
  return (
    <LegendList label={t('legend')}>
      <li>
        <StatusMark status="available" />
        {t('legend-available')}
      </li>
      <li>
        <StatusMark status="unavailable" />
        {t('legend-unavailable')}
      </li>
    </LegendList>
  )
}
