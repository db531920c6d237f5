import { hasRight } from '@rogatka/contract/access.ts'
import { useTranslation } from 'react-i18next'
import { PageLayout } from '../core/frame/PageLayout.tsx'
import { useSelf } from '../core/useSelf.ts'
import { useTitle } from '../core/useTitle.ts'
import { ListTitle } from '../ui/ListTitle.tsx'
import { AccountSection } from './AccountSection.tsx'
import { PasswordSection } from './PasswordSection.tsx'
import css from './Preferences.module.css'
import { SecurityLink } from './SecurityLink.tsx'
import { SessionsSection } from './SessionsSection.tsx'
import { SettingsSection } from './SettingsSection.tsx'
import { TokenSection } from './TokenSection.tsx'

/** Settings of the user; each section needs its right. */
export function PreferencesPage() {
  const { t } = useTranslation('preferences')
  const { data: self } = useSelf()
  useTitle(t('core:settings'))
  if (!self) return null
  return (
    <PageLayout title={<ListTitle>{t('core:settings')}</ListTitle>}>
      <div className={css.sections}>
        {hasRight(self.permissions, 'SelfPersonal') && <AccountSection key={self.id} self={self} />}
        <div className={css.column}>
          {hasRight(self.permissions, 'PasswordChange') && self.provider === null && <PasswordSection self={self} />}
          <SettingsSection />
          <SecurityLink />
          {hasRight(self.permissions, 'Tickets') && <TokenSection key={self.id} self={self} />}
        </div>
        <SessionsSection self={self} />
      </div>
    </PageLayout>
  )
}
