import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ErrorBanner } from '../ui/ErrorBanner.tsx'
import css from './Factors.module.css'
import { startStepUpAtProvider } from './providers.ts'

/** Sends the user to their provider, which verifies them; the page is opened again after that. */
export function ProviderForm({ provider, onCancel }: { provider: string; onCancel: () => void }) {
  const { t } = useTranslation('factors')
  const leave = useMutation({ mutationFn: startStepUpAtProvider })
  return (
    <div className={css.section}>
      {leave.error && <ErrorBanner error={leave.error} dismiss={leave.reset} />}
      <p>{t('step-up-provider', { provider })}</p>
      <div className={css.buttons}>
        <Button data-autofocus loading={leave.isPending || leave.isSuccess} onClick={() => leave.mutate()}>
          {t('confirm-at-provider', { provider })}
        </Button>
        <Button variant="default" onClick={onCancel}>
          {t('ui:cancel')}
        </Button>
      </div>
    </div>
  )
}
