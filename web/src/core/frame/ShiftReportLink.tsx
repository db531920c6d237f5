import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useNavigation } from './useNavigation.ts'

/** Leads to the report of the current shift; nothing for users who see no part of it. */
export function ShiftReportLink() {
  const { t } = useTranslation('core')
  const target = useNavigation().elsewhere.find(({ to }) => to === '/shift-report')
  return target ? <Link to={target.to}>{t(target.name)}</Link> : null
}
