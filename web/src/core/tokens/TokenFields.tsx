import { TextInput } from '@mantine/core'
import type { ReactNode, RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { DayField } from '../../ui/DayField.tsx'
import { StationsField } from '../../ui/StationsField.tsx'
import { StoredValue } from '../../ui/StoredValue.tsx'
import { type TextForm, textField } from '../textField.ts'
import css from './Tokens.module.css'

type Values = { name: string; remark: string; locationIds: number[]; validUntil: string }

type Form = Pick<TextForm<'name' | 'remark'>, 'change' | 'errors'> & {
  values: Values
  stored: Partial<Record<keyof Values, string>>
  firstField: RefObject<HTMLInputElement | null>
}

type Props = {
  form: Form
  labels: { name: string; remark: string }
  stations: readonly { id: number; shortName: string }[] | undefined
}

/** The fields of name, remark and stations. */
export function HolderFields({ form, labels, stations }: Props) {
  const { t } = useTranslation('ui')
  const { values, errors, stored, firstField } = form
  const change = (part: Partial<Values>) => form.change(part as never)
  return (
    <>
      <TextInput ref={firstField} label={labels.name} maxLength={60} {...textField(form, 'name')} data-autofocus />
      <TextInput label={t('optional', { name: labels.remark })} maxLength={200} {...textField(form, 'remark')} />
      <StationsField
        stations={stations}
        value={values.locationIds}
        onChange={(locationIds) => change({ locationIds })}
        error={errors.locationIds}
        stored={stored.locationIds}
      />
    </>
  )
}

/** The last day of a token. */
export function LastDayField({ form, label, clearLabel }: { form: Form; label: string; clearLabel: string }) {
  const { values, errors, stored } = form
  return (
    <div>
      <DayField
        label={label}
        value={values.validUntil || null}
        onChange={(day) => form.change({ validUntil: day ?? '' } as never)}
        clearLabel={clearLabel}
        error={errors.validUntil}
      />
      <StoredValue value={stored.validUntil} />
    </div>
  )
}

/** A field of choices with its label, and the value that another user stored in the meantime. */
export function ChoiceField(props: {
  label: string
  children: ReactNode
  error?: ReactNode
  stored: string | undefined
}) {
  return (
    <div>
      <p className={css.label} aria-hidden>
        {props.label}
      </p>
      {props.children}
      {props.error && <p className={css.error}>{props.error}</p>}
      <StoredValue value={props.stored} />
    </div>
  )
}
