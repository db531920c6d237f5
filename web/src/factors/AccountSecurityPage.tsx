import { Button } from '@mantine/core'
import type { WireOwnFactors } from '@rogatka/contract/session-factors.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDateTime } from '../core/format.ts'
import { PageLayout } from '../core/frame/PageLayout.tsx'
import { useSelf } from '../core/useSelf.ts'
import { useSuccessToast } from '../core/useSuccessToast.ts'
import { useTitle } from '../core/useTitle.ts'
import { ErrorBanner } from '../ui/ErrorBanner.tsx'
import { ListTitle } from '../ui/ListTitle.tsx'
import { Loading } from '../ui/Loading.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Panel, Section } from '../ui/Panel.tsx'
import css from './Factors.module.css'
import { IdentitySection } from './IdentitySection.tsx'
import { PasskeysSection } from './PasskeysSection.tsx'
import { RemoveFactor, RenewCodes } from './PasswordDialogs.tsx'
import { SetupForm } from './SetupForm.tsx'
import { factorsQuery } from './useSetup.ts'

/** The second factors of the user: set-up, replacement, removal, recovery codes. */
export function AccountSecurityPage() {
  const { t } = useTranslation('factors')
  const { data: self } = useSelf()
  const client = useQueryClient()
  const showSuccess = useSuccessToast()
  const { data, error, refetch } = useQuery(factorsQuery)
  const [isSettingUp, setSettingUp] = useState(false)
  useTitle(t('title'))
  if (!self) return null
  const hasPasskeys = data !== undefined && data.passkeys.length > 0
  const reload = () =>
    Promise.all([client.invalidateQueries(factorsQuery), client.invalidateQueries({ queryKey: ['sessions'] })])
  const finish = async () => {
    await reload()
    setSettingUp(false)
    showSuccess(t('enabled'))
  }
  return (
    <PageLayout title={<ListTitle>{t('title')}</ListTitle>}>
      <div className={css.content}>
        {error && !data && <ErrorBanner error={error} title={t('factors-failed')} retry={() => void refetch()} />}
        {!error && !data && <Loading label={t('factors-loading')} />}
        {data && isSettingUp && (
          <SetupForm username={self.username} onDone={() => void finish()} onCancel={() => setSettingUp(false)} />
        )}
        {data && !isSettingUp && (
          <>
            <Panel>
              <Section
                title={t('second-factor')}
                hint={t(data.passkeyRequired ? 'passkey-required' : data.required ? 'required' : 'optional')}
              >
                <State factors={data} />
                <div className={css.buttons}>
                  {data.available && (!data.passkeyRequired || data.authenticator) && (
                    <Button
                      variant={data.authenticator || hasPasskeys ? 'default' : 'filled'}
                      onClick={() => setSettingUp(true)}
                    >
                      {t(data.authenticator ? 'replace' : 'set-up')}
                    </Button>
                  )}
                  {(data.authenticator || hasPasskeys) && <RenewCodes username={self.username} onDone={reload} />}
                  {data.authenticator && (hasPasskeys || !data.required) && (
                    <RemoveFactor username={self.username} hasOthers={hasPasskeys} onDone={reload} />
                  )}
                </div>
              </Section>
            </Panel>
            <PasskeysSection factors={data} username={self.username} onChange={reload} />
            <IdentitySection username={self.username} factors={data} onChange={reload} />
          </>
        )}
      </div>
    </PageLayout>
  )
}

/** Few recovery codes are a reason for new ones. */
const FEW_CODES = 3

function State({ factors }: { factors: WireOwnFactors }) {
  const { t } = useTranslation('factors')
  const ofProvider = useSelf().data?.provider ?? null
  const provider = ofProvider ?? (factors.providerRequired ? factors.identity?.provider : null) ?? null
  const { authenticator, available, passkeys, recoveryCodesLeft } = factors
  if (!authenticator && passkeys.length === 0)
    return available ? (
      <p className={css.lead}>{provider === null ? t('none') : t('none-with-provider', { provider })}</p>
    ) : (
      <Notice kind="quiet">{t('errors:factors-cannot-be-kept')}</Notice>
    )
  return (
    <>
      <dl className={css.facts}>
        {authenticator && (
          <>
            <div>
              <dt>{t('app')}</dt>
              <dd>{t('since', { time: formatDateTime(authenticator.createdAt) })}</dd>
            </div>
            <div>
              <dt>{t('last-used')}</dt>
              <dd>{authenticator.lastUsedAt ? formatDateTime(authenticator.lastUsedAt) : t('never-used')}</dd>
            </div>
          </>
        )}
        <div>
          <dt>{t('recovery-codes')}</dt>
          <dd>{t('codes-left', { left: recoveryCodesLeft })}</dd>
        </div>
      </dl>
      {recoveryCodesLeft <= FEW_CODES && <Notice>{t('few-codes')}</Notice>}
    </>
  )
}
