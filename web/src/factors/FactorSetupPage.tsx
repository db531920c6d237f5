import { Button } from '@mantine/core'
import { Link, useRouter } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { ExpiryDialog } from '../core/frame/ExpiryDialog.tsx'
import { LanguageMenu } from '../core/frame/LanguageMenu.tsx'
import { Main } from '../core/frame/Main.tsx'
import { Toasts } from '../core/frame/Toasts.tsx'
import { queryClient } from '../core/queryClient.ts'
import { setMustSetUpFactor } from '../core/session.ts'
import { selfQuery, useSelf } from '../core/useSelf.ts'
import { useTitle } from '../core/useTitle.ts'
import { Brand } from '../ui/Brand.tsx'
import { LogoutIcon } from '../ui/icons.tsx'
import { Notice } from '../ui/Notice.tsx'
import css from './Factors.module.css'
import { SetupForm } from './SetupForm.tsx'

/** Page that requires a second factor before anything else. */
export function FactorSetupPage() {
  const { t } = useTranslation('factors')
  const { data: self } = useSelf()
  const router = useRouter()
  useTitle(t('title'))
  const finish = async () => {
    // First, as the guard runs with the next line and reads it.
    await queryClient.fetchQuery({ ...selfQuery, staleTime: 0 })
    setMustSetUpFactor(false)
    await router.invalidate()
  }
  if (!self) return null
  return (
    <div className={css.page}>
      <header className={css.header}>
        <Brand />
        <LanguageMenu className={css.language ?? ''} />
        <Button component={Link} to="/logout" variant="subtle" color="gray" rightSection={<LogoutIcon />}>
          {t('core:logout')}
        </Button>
      </header>
      <Main>
        <div className={css.content}>
          <h1 className={css.pageTitle}>{t('title')}</h1>
          <Notice>{t('required-now', { username: self.username })}</Notice>
          <SetupForm username={self.username} onDone={() => void finish()} />
        </div>
      </Main>
      <Toasts />
      <ExpiryDialog />
    </div>
  )
}
