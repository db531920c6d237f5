import { TextInput } from '@mantine/core'
import type { Ref } from 'react'
import { useTranslation } from 'react-i18next'

type Props = { ref?: Ref<HTMLInputElement>; value: string; onChange: (name: string) => void; isMissing: boolean }

/** Field for the name of a passkey, with the initial focus of its dialog. */
export function PasskeyName({ ref, value, onChange, isMissing }: Props) {
  const { t } = useTranslation('factors')
  return (
    <TextInput
      ref={ref}
      label={t('passkey-name')}
      autoComplete="off"
      maxLength={60}
      data-autofocus
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      error={isMissing && t('passkey-name-missing')}
    />
  )
}
