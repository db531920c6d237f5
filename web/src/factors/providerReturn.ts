import { notifications } from '@mantine/notifications'
import i18next from 'i18next'
import { showError } from '../core/errors.ts'
import { loadTexts } from '../core/i18n.ts'
import type { ProviderReturn } from '../core/providerAnswer.ts'
import { queryClient } from '../core/queryClient.ts'
import { linkWithAnswer, stepUpWithAnswer } from './providers.ts'
import { factorsQuery } from './useSetup.ts'

/**
 * Completes what a signed-in user was sent to a provider for, a step-up or the link of their account, and says so. A sign-in
 * is none: in another tab the user has signed in meanwhile.
 */
export async function completeProviderReturn(answer: ProviderReturn): Promise<void> {
  if (answer.purpose === 'sign-in') return
  await loadTexts(['factors'])
  const isLink = answer.purpose === 'link'
  try {
    await (isLink ? linkWithAnswer(answer) : stepUpWithAnswer(answer))
    notifications.show({
      message: i18next.t(isLink ? 'factors:linked' : 'factors:confirmed-by-provider'),
      color: 'green',
      withBorder: true,
      autoClose: 5000,
      role: 'status',
    })
  } catch (error) {
    showError(error, { title: i18next.t(isLink ? 'factors:not-linked-now' : 'factors:not-confirmed') })
  }
  if (!isLink) return
  // An invalidation does not repeat the first request, which may be older than the link.
  await queryClient.cancelQueries(factorsQuery)
  await queryClient.invalidateQueries(factorsQuery)
}
