import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { PageLayout } from '../core/frame/PageLayout.tsx'
import { useNavigation } from '../core/frame/useNavigation.ts'
import { useSelf } from '../core/useSelf.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import css from './Welcome.module.css'

/** Home page without the right to the live list: a welcome and the user's links. */
export function Welcome() {
  const { t } = useTranslation('current')
  const { data: self } = useSelf()
  const { main, management, wanted } = useNavigation()
  const targets = [...main, ...management, ...wanted]
  const name = self?.firstName || self?.username || ''
  return (
    <PageLayout>
      <EmptyState title={t('welcome', { name })} hint={t(targets.length > 0 ? 'welcome-links' : 'welcome-nothing')}>
        {targets.length > 0 && (
          <ul className={css.links}>
            {targets.map((target) => (
              <li key={target.to}>
                <Link to={target.to}>{t(`core:${target.name}`)}</Link>
              </li>
            ))}
          </ul>
        )}
      </EmptyState>
    </PageLayout>
  )
}
