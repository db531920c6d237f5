import { TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { DayField } from '../ui/DayField.tsx'
import { StoredValue, storedBelow } from '../ui/StoredValue.tsx'

/** Days are empty if not entered yet. */
type Issue = { authority: string; validFrom: string; validUntil: string }

type Props = {
  form: {
    values: Issue
    change: (values: Partial<Issue>) => void
    errors: Record<string, string>
    /** Values that another user stored meanwhile. */
    stored: Partial<Record<keyof Issue, string>>
  }
}

/** Who issued a certificate, and its first and last day. */
export function IssueFields({ form: { values, change, errors, stored } }: Props) {
  const { t } = useTranslation('certificates')
  return (
    <>
      <TextInput
        label={t('authority')}
        maxLength={100}
        value={values.authority}
        onChange={(event) => change({ authority: event.currentTarget.value })}
        error={errors.authority}
        {...storedBelow(stored.authority)}
      />
      {(['validFrom', 'validUntil'] as const).map((field) => (
        <div key={field}>
          <DayField
            label={t(field)}
            value={values[field] || null}
            onChange={(day) => change({ [field]: day ?? '' })}
            clearLabel={t('clear', { name: t(field) })}
            error={errors[field]}
          />
          <StoredValue value={stored[field]} />
        </div>
      ))}
    </>
  )
}
