import { notifications } from '@mantine/notifications'
import i18next from 'i18next'
import { showError } from '../core/errors.ts'
import { loadTexts } from '../core/i18n.ts'
import type { ProviderReturn } from '../core/providerAnswer.ts'
import { stepUpWithAnswer } from './providers.ts'

/** Completes a step-up whose user comes back from the provider, and says that they may go on. */
export async function completeProviderStepUp(answer: ProviderReturn): Promise<void> {
  await loadTexts(['factors'])
  await stepUpWithAnswer(answer).then(
    () =>
      notifications.show({
        message: i18next.t('factors:confirmed-by-provider'),
        color: 'green',
        withBorder: true,
        autoClose: 5000,
        role: 'status',
      }),
    (error: unknown) => showError(error, { title: i18next.t('factors:not-confirmed') }),
  )
}
