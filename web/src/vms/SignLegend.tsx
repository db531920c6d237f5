import { useTranslation } from 'react-i18next'
import { type Status, StatusMark } from '../ui/StatusMark.tsx'
import css from './Vms.module.css'

const MARKS: Status[] = ['available', 'unavailable', 'malfunction', 'enabled', 'attention']

/** What the marks beside signs mean. */
export function SignLegend() {
  const { t } = useTranslation('vms')
  return (
    <ul className={css.legend} aria-label={t('core:legend')}>
      {MARKS.map((mark) => (
        <li key={mark}>
          <StatusMark status={mark} />
          {t(mark === 'attention' ? 'not-as-ordered' : mark)}
        </li>
      ))}
    </ul>
  )
}
