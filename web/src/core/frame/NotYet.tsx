import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Screen } from './Screen.tsx'

/** Stands for a screen that this version does not have. */
export function NotYet() {
  const { t } = useTranslation()
  return (
    <Screen>
      <EmptyState title={t('not-yet')} hint={t('not-yet-hint')}>
        <Link to="/">{t('go-home')}</Link>
      </EmptyState>
    </Screen>
  )
}
