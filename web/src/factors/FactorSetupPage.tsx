import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { canUsePasskeys } from '../core/canUsePasskeys.ts'
import { ExpiryDialog } from '../core/frame/ExpiryDialog.tsx'
import { LanguageMenu } from '../core/frame/LanguageMenu.tsx'
import { Main } from '../core/frame/Main.tsx'
import { Toasts } from '../core/frame/Toasts.tsx'
import { queryClient } from '../core/queryClient.ts'
import { setMustSetUpFactor } from '../core/session.ts'
import { selfQuery, useSelf } from '../core/useSelf.ts'
import { useTitle } from '../core/useTitle.ts'
import { Brand } from '../ui/Brand.tsx'
import { ErrorBanner } from '../ui/ErrorBanner.tsx'
import { LogoutIcon } from '../ui/icons.tsx'
import { Loading } from '../ui/Loading.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Panel, Section } from '../ui/Panel.tsx'
import { AddPasskey } from './AddPasskey.tsx'
import css from './Factors.module.css'
import { SetupForm } from './SetupForm.tsx'
import { factorsQuery } from './useSetup.ts'

/** `questions`: asks the user who they are, while calls wait for it. */
type Props = { questions: ReactNode }

/** Page that requires a second factor before anything else. */
export function FactorSetupPage({ questions }: Props) {
  const { t } = useTranslation('factors')
  const { data: self } = useSelf()
  const router = useRouter()
  const { data: factors, error, refetch } = useQuery(factorsQuery)
  useTitle(t('title'))
  const finish = async () => {
    // First, as the guard runs with the next line and reads it.
    await queryClient.fetchQuery({ ...selfQuery, staleTime: 0 })
    setMustSetUpFactor(false)
    await router.invalidate()
  }
  if (!self) return null
  const isPasskeyNeeded = factors?.passkeyRequired ?? false
  const hasPasskeys = factors?.passkeysAvailable === true && canUsePasskeys()
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
          {factors && (
            <Notice>{t(isPasskeyNeeded ? 'passkey-required-now' : 'required-now', { username: self.username })}</Notice>
          )}
          {error && !factors && <ErrorBanner error={error} title={t('factors-failed')} retry={() => void refetch()} />}
          {!error && !factors && <Loading label={t('factors-loading')} />}
          {factors && isPasskeyNeeded && !hasPasskeys && <Notice kind="quiet">{t('passkey-impossible')}</Notice>}
          {hasPasskeys && (
            <Panel>
              <Section
                title={t('passkeys')}
                hint={t('passkeys-hint')}
                action={<AddPasskey username={self.username} onDone={finish} isPrimary={isPasskeyNeeded} />}
              >
                {null}
              </Section>
            </Panel>
          )}
          {factors && !isPasskeyNeeded && <SetupForm username={self.username} onDone={() => void finish()} />}
        </div>
      </Main>
      <Toasts />
      <ExpiryDialog />
      {questions}
    </div>
  )
}
