import { Button } from '@mantine/core'
import type { WireOwnFactors } from '@rogatka/contract/session-factors.ts'
import { unlinkOwnIdentity } from '@rogatka/contract/session-providers.ts'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { showError } from '../core/errors.ts'
import { formatDateTime } from '../core/format.ts'
import { useBuild } from '../core/useBuild.ts'
import { useSuccessToast } from '../core/useSuccessToast.ts'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { LinkIcon } from '../ui/icons.tsx'
import { Panel, Section } from '../ui/Panel.tsx'
import { ProviderButton } from '../ui/ProviderButton.tsx'
import { useConfirm } from '../ui/useConfirm.ts'
import css from './Factors.module.css'
import { startLink } from './providers.ts'

type Props = { factors: WireOwnFactors; onChange: () => unknown }

/** The identity at a provider to which a local account is linked; none for an account that a provider made. */
export function IdentitySection({ factors: { identity, providerRequired }, onChange }: Props) {
  const { t } = useTranslation('factors')
  const providers = useBuild().build?.providers ?? []
  const leave = useMutation({
    mutationFn: startLink,
    onError: (error) => showError(error, { title: t('not-linked-now') }),
  })
  if (identity ? identity.linkedAt === null : providers.length === 0) return null
  const asked = leave.isPending || leave.isSuccess ? leave.variables : undefined
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
            : providers.map(({ id, label }) => (
                <ProviderButton
                  key={id}
                  variant="default"
                  size="sm"
                  py={6}
                  fullWidth={false}
                  leftSection={<LinkIcon />}
                  loading={asked === id}
                  disabled={asked !== undefined && asked !== id}
                  onClick={() => leave.mutate(id)}
                >
                  {t('link-with', { provider: label })}
                </ProviderButton>
              ))}
        </div>
      </Section>
    </Panel>
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
