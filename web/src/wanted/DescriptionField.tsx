import { TextInput } from '@mantine/core'
import { MAX_DESCRIPTION } from '@rogatka/contract/wanted.ts'
import { useTranslation } from 'react-i18next'
import { storedBelow } from '../ui/StoredValue.tsx'
import css from './Wanted.module.css'

type Props = {
  value: string
  onChange: (description: string) => void
  error: string | undefined
  stored: string | undefined
}

/** Description field with the number of characters left. */
export function DescriptionField({ value, onChange, error, stored }: Props) {
  const { t } = useTranslation('ui')
  return (
    <TextInput
      label={t('description')}
      maxLength={MAX_DESCRIPTION}
      autoComplete="off"
      rightSection={<span className={css.counter}>{MAX_DESCRIPTION - value.length}</span>}
      rightSectionWidth={44}
      rightSectionPointerEvents="none"
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={error}
      {...storedBelow(stored)}
    />
  )
}
