import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { useTranslation } from 'react-i18next'

/** Password field with a show button that the keyboard can reach. */
export function PasswordField(props: PasswordInputProps) {
  const { t } = useTranslation('ui')
  return (
    <PasswordInput
      maxLength={200}
      visibilityToggleFocusable
      visibilityToggleButtonProps={{ 'aria-label': t('show-password') }}
      {...props}
    />
  )
}
