import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { requestIdOf, statusOf } from './bannerText.ts'
import { Notice } from './Notice.tsx'
import { useErrorText } from './useErrorText.ts'

type Props = {
  error: unknown
  /** What failed, as a sentence: "Nie udało się pobrać listy." */
  title?: ReactNode | undefined
  /** Age of the data that is still shown. */
  age?: ReactNode
  retry?: () => void
  dismiss?: () => void
}

/** Error message with an optional retry button and, for server errors, the request id. */
export function ErrorBanner({ error, title, age, retry, dismiss }: Props) {
  const { t } = useTranslation('ui')
  const textOf = useErrorText()
  // Client errors (4xx) explain themselves; for all others the request id finds the log entry.
  const requestId = (statusOf(error) ?? 500) >= 500 ? requestIdOf(error) : null
  return (
    <Notice kind="error" {...(dismiss && { dismiss })}>
      {title && <b>{title} </b>}
      {textOf(error)}
      {age && <> {age}</>}
      {(retry || requestId) && (
        <Notice.Actions>
          {retry && (
            <Button variant="default" size="xs" onClick={retry}>
              {t('try-again')}
            </Button>
          )}
          {requestId && <small>{t('request-number', { id: requestId })}</small>}
        </Notice.Actions>
      )}
    </Notice>
  )
}
