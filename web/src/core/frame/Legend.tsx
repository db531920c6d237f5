import { useTranslation } from 'react-i18next'
import { StatusMark } from '../../ui/StatusMark.tsx'
import css from './Rail.module.css'

/** What the marks beside stations mean. */
export function Legend() {
  const { t } = useTranslation()
  return (
    <ul className={css.legend} aria-label={t('legend')}>
      <li>
        <StatusMark status="available" />
        {t('legend-available')}
      </li>
      <li>
        <StatusMark status="unavailable" />
        {t('legend-unavailable')}
      </li>
    </ul>
  )
}
