import { TextInput, type TextInputProps } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import css from './PhoneField.module.css'

type Field = Pick<TextInputProps, 'value' | 'onChange' | 'onBlur' | 'onFocus'> & { 'data-path'?: string }

type Props = {
  label: string
  prefix: Field
  number: Field
  error: string | undefined
}

/** A phone number with its dialling prefix in a small field of its own. */
export function PhoneField({ label, prefix, number, error }: Props) {
  const { t } = useTranslation('ui')
  return (
    <div className={css.phone}>
      <TextInput {...prefix} aria-label={t('dialling-prefix')} maxLength={5} autoComplete="tel-country-code" />
      <TextInput
        {...number}
        label={label}
        type="tel"
        maxLength={24}
        autoComplete="tel-national"
        required
        withAsterisk={false}
        error={error}
      />
    </div>
  )
}
