import { Button } from '@mantine/core'
import type { WireOwnFactors } from '@rogatka/contract/session-factors.ts'
import { unlinkOwnIdentity } from '@rogatka/contract/session-providers.ts'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { showError } from '../core/errors.ts'
import { formatDateTime } from '../core/format.ts'
import { useBuild } from '../core/useBuild.ts'
import { useSuccessToast } from '../core/useSuccessToast.ts'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { LinkIcon } from '../ui/icons.tsx'
import { Panel, Section } from '../ui/Panel.tsx'
import { ProviderButton } from '../ui/ProviderButton.tsx'
import { useConfirm } from '../ui/useConfirm.ts'
import css from './Factors.module.css'
import { PasswordForm } from './PasswordForm.tsx'
import { startLink } from './providers.ts'

type Props = { username: string; factors: WireOwnFactors; onChange: () => unknown }

/** The identity at a provider to which a local account is linked; none for an account that a provider made. */
export function IdentitySection({ username, factors: { identity, providerRequired }, onChange }: Props) {
  const { t } = useTranslation('factors')
  const providers = useBuild().build?.providers ?? []
  if (identity ? identity.linkedAt === null : providers.length === 0) return null
  return (
    <Panel>
      <Section
        title={t('identity')}
        hint={t(identity ? (providerRequired ? 'link-required' : 'is-linked') : 'is-not-linked')}
      >
        <p className={css.lead}>
          {t(identity ? (providerRequired ? 'linked-required-hint' : 'linked-hint') : 'link-hint')}
        </p>
        {identity?.linkedAt && (
          <dl className={css.facts}>
            <div>
              <dt>{t('identity-provider')}</dt>
              <dd>{identity.provider}</dd>
            </div>
            <div>
              <dt>{t('identity-name')}</dt>
              <dd>{identity.name}</dd>
            </div>
            <div>
              <dt>{t('linked-since')}</dt>
              <dd>{formatDateTime(identity.linkedAt)}</dd>
            </div>
            <div>
              <dt>{t('identity-last-used')}</dt>
              <dd>{formatDateTime(identity.lastUsedAt)}</dd>
            </div>
          </dl>
        )}
        <div className={css.buttons}>
          {identity
            ? !providerRequired && <Unlink provider={identity.provider} onDone={onChange} />
            : providers.map((provider) => <Link key={provider.id} username={username} provider={provider} />)}
        </div>
      </Section>
    </Panel>
  )
}

/** Button with a dialog that asks for the password, then leaves for the provider. */
function Link({ username, provider: { id, label } }: { username: string; provider: { id: string; label: string } }) {
  const { t } = useTranslation('factors')
  const [isOpen, setOpen] = useState(false)
  const leave = useMutation({ mutationFn: (password: string | undefined) => startLink(id, password), gcTime: 0 })
  const text = t('link-with', { provider: label })
  return (
    <>
      <ProviderButton
        variant="default"
        size="sm"
        py={6}
        fullWidth={false}
        leftSection={<LinkIcon />}
        onClick={() => setOpen(true)}
      >
        {text}
      </ProviderButton>
      <Dialog title={text} open={isOpen} onClose={() => setOpen(false)}>
        <PasswordForm
          username={username}
          explanation={t('link-password', { provider: label })}
          action={t('confirm-at-provider', { provider: label })}
          // It stays so while the browser leaves.
          isPending={leave.isPending || leave.isSuccess}
          send={(password) => leave.mutateAsync(password)}
          onCancel={() => setOpen(false)}
        />
      </Dialog>
    </>
  )
}

function Unlink({ provider, onDone }: { provider: string; onDone: () => unknown }) {
  const { t } = useTranslation('factors')
  const showSuccess = useSuccessToast()
  const unlink = useMutation({
    mutationFn: () => call(unlinkOwnIdentity),
    onSuccess: async () => {
      showSuccess(t('unlinked'))
      await onDone()
    },
    onError: (error) => showError(error, { title: t('not-unlinked') }),
  })
  const confirm = useConfirm(() => unlink.mutate())
  return (
    <>
      <Button variant="default" loading={unlink.isPending} onClick={confirm.ask}>
        {t('unlink')}
      </Button>
      <ConfirmDialog {...confirm.dialog} title={t('unlink-title')} confirmLabel={t('unlink')} destructive>
        <p>{t('unlink-hint', { provider })}</p>
      </ConfirmDialog>
    </>
  )
}
