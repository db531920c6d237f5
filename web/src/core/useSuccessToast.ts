import { notifications } from '@mantine/notifications'
import { useTranslation } from 'react-i18next'

/** Toast for a successful action. */
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
