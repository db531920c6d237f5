import { useTranslation } from 'react-i18next'
import { LegendList } from '../ui/LegendList.tsx'
import { type Status, StatusMark } from '../ui/StatusMark.tsx'

const MARKS: Status[] = ['available', 'unavailable', 'malfunction', 'enabled', 'attention']

/** Legend of the sign status marks. */
export function SignLegend() {
  const { t } = useTranslation('vms')
  return (
    <LegendList label={t('core:legend')}>
      {MARKS.map((mark) => (
        <li key={mark}>
          <StatusMark status={mark} />
          {t(mark === 'attention' ? 'not-as-ordered' : mark)}
        </li>
      ))}
    </LegendList>
  )
}
