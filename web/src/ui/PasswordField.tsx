import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { useTranslation } from 'react-i18next'

/** A password with a button that shows it, which the keyboard reaches too. */
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
