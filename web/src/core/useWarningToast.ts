import { notifications } from '@mantine/notifications'
import { useTranslation } from 'react-i18next'
import { useErrorText } from '../ui/useErrorText.ts'

/** A small message that covers nothing: for what failed beside the operator's way and is logged besides. */
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
