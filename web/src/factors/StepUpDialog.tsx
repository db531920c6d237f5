import { Button } from '@mantine/core'
import { stepUp } from '@rogatka/contract/session-factors.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { answerStepUp } from '../core/stepUp.ts'
import { useReturnedFocus } from '../core/useReturnedFocus.ts'
import { useSelf } from '../core/useSelf.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { ErrorBanner } from '../ui/ErrorBanner.tsx'
import { Loading } from '../ui/Loading.tsx'
import { CodeForm } from './CodeForm.tsx'
import css from './Factors.module.css'
import { PasswordForm } from './PasswordForm.tsx'
import { ProviderForm } from './ProviderForm.tsx'
import { stepUpWithPasskey } from './passkeys.ts'
import { factorsQuery } from './useSetup.ts'

const decline = () => answerStepUp(false)

/** Asks the user for the second factor, or the password without one; then the calls that wait are sent again. */
export function StepUpDialog() {
  const { t } = useTranslation('factors')
  const { data: self } = useSelf()
  const { data: factors, error, refetch } = useQuery(factorsQuery)
  const verify = useMutation({
    mutationFn: (body: { code: string } | { password: string | undefined }) => call(stepUp, { body, background: true }),
    gcTime: 0,
    onSuccess: () => answerStepUp(true),
  })
  useReturnedFocus()
  // Of a linked account the password is enough, unless a role requires the provider.
  const linked = factors?.identity?.provider ?? null
  const onlyProvider = self?.provider ?? (factors?.providerRequired ? linked : null)
  const [isAtProvider, setAtProvider] = useState(false)
  const provider = onlyProvider ?? (isAtProvider ? linked : null)
  const hasFactor = factors !== undefined && (factors.authenticator !== null || factors.passkeys.length > 0)
  return (
    <Dialog title={t('step-up-title')} open onClose={decline}>
      {error && !factors && <ErrorBanner error={error} title={t('factors-failed')} retry={() => void refetch()} />}
      {!error && !factors && <Loading label={t('factors-loading')} />}
      {factors && hasFactor && (
        <CodeForm
          hasApp={factors.authenticator !== null}
          hasPasskey={factors.passkeys.some(({ lockedAt }) => lockedAt === null)}
          isPasskeyRequired={factors.passkeyRequired && factors.passkeys.length > 0}
          explanations={{
            code: t('step-up-code'),
            'recovery-code': t('step-up-recovery-code'),
            passkey: t('step-up-passkey'),
          }}
          action={t('confirm')}
          send={(code) => verify.mutateAsync({ code })}
          sendPasskey={async () => {
            await stepUpWithPasskey()
            answerStepUp(true)
          }}
          leave={{ text: t('ui:cancel'), onClick: decline }}
        />
      )}
      {factors && !hasFactor && provider !== null && <ProviderForm provider={provider} onCancel={decline} />}
      {factors && !hasFactor && provider === null && (
        <PasswordForm
          username={self?.username ?? ''}
          explanation={t('step-up-password')}
          action={t('confirm')}
          isPending={verify.isPending}
          send={(password) => verify.mutateAsync({ password })}
          onCancel={decline}
        />
      )}
      {factors && !hasFactor && provider === null && linked !== null && (
        <div className={css.others}>
          <Button variant="subtle" color="gray" onClick={() => setAtProvider(true)}>
            {t('confirm-at-provider', { provider: linked })}
          </Button>
        </div>
      )}
    </Dialog>
  )
}
