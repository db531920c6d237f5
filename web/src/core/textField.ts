import { storedBelow } from '../ui/StoredValue.tsx'

/** The part of an entry form that a text field needs. */
export type TextForm<F extends string> = {
  values: Record<F, string>
  change: (part: never) => void
  errors: Record<string, string>
  stored: Partial<Record<F, string>>
}

/** Props of a text field of an entry form. */
export const textField = <F extends string>({ values, change, errors, stored }: TextForm<F>, field: F) => ({
  autoComplete: 'off',
  value: values[field],
  onChange: (event: { currentTarget: { value: string } }) => change({ [field]: event.currentTarget.value } as never),
  error: errors[field],
  ...storedBelow(stored[field]),
})
