import { TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import css from './PhoneField.module.css'

type Props = {
  /** With the fields `prefix` and `number`. */
  form: { getInputProps: (field: 'prefix' | 'number') => object }
  error: string | undefined
  isOptional?: boolean
}

/** Phone number with a separate field for the dialling prefix. */
export function PhoneField({ form, error, isOptional = false }: Props) {
  const { t } = useTranslation('ui')
  return (
    <div className={css.phone}>
      <TextInput
        {...form.getInputProps('prefix')}
        aria-label={t('dialling-prefix')}
        maxLength={5}
        autoComplete="tel-country-code"
      />
      <TextInput
        {...form.getInputProps('number')}
        label={isOptional ? t('optional', { name: t('phone') }) : t('phone')}
        type="tel"
        maxLength={24}
        autoComplete="tel-national"
        required={!isOptional}
        withAsterisk={false}
        error={error}
      />
    </div>
  )
}
