import { notifications } from '@mantine/notifications'
import { useTranslation } from 'react-i18next'
import { useErrorText } from '../ui/useErrorText.ts'

/** Toast for an error that does not interrupt the user; also logged. */
export function useWarningToast(): (title: string, error: unknown) => void {
  const { t } = useTranslation('ui')
  const textOf = useErrorText()
  return (title, error) => {
    console.warn(title, error)
    notifications.show({
      id: title,
      title,
      message: textOf(error),
      color: 'red',
      withBorder: true,
      autoClose: 6000,
      closeButtonProps: { 'aria-label': t('dismiss') },
    })
  }
}
