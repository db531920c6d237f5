import { notifications } from '@mantine/notifications'
import { useTranslation } from 'react-i18next'

/** A small message that covers nothing: what the operator asked for is done. */
export function useSuccessToast(): (text: string) => void {
  const { t } = useTranslation('ui')
  return (text) =>
    void notifications.show({
      id: text,
      message: text,
      color: 'green',
      withBorder: true,
      autoClose: 5000,
      role: 'status',
      closeButtonProps: { 'aria-label': t('dismiss') },
    })
}
