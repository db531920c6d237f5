import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { requestIdOf, statusOf } from './bannerText.ts'
import { Notice } from './Notice.tsx'
import { useErrorText } from './useErrorText.ts'

type Props = {
  error: unknown
  /** What failed, in a sentence: "Nie udało się pobrać listy." */
  title?: ReactNode | undefined
  /** How old the data is that still stands below. */
  age?: ReactNode
  retry?: () => void
  dismiss?: () => void
}

/** Stands in the place of what failed: says what and why, offers to try again, names the request. */
export function ErrorBanner({ error, title, age, retry, dismiss }: Props) {
  const { t } = useTranslation('ui')
  const textOf = useErrorText()
  // A refusal explains itself; a fault has to be found in the log.
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
