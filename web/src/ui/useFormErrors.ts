import type { UseFormReturnType } from '@mantine/form'
import { useErrorText } from './useErrorText.ts'

type Options<F extends string> = {
  /** From top to bottom: the first invalid one gets the focus. */
  fields: readonly F[]
  /** What to enter into a required field that is empty; absent: the general text. */
  missingText?: (field: F) => string
}

/** What a form says of its invalid fields. */
export function useFormErrors<V extends Record<string, unknown>, F extends keyof V & string>(
  form: UseFormReturnType<V>,
  { fields, missingText }: Options<F>,
) {
  const textOf = useErrorText()
  return {
    focusFirst: (errors: Record<string, unknown>): void => {
      const first = fields.find((field) => errors[field])
      if (first) form.getInputNode(first)?.focus()
    },
    /** The error of a field in words; undefined if it has none. */
    textOfError: (field: F): string | undefined => {
      const error = form.errors[field]
      if (!error) return undefined
      return missingText && error === 'required-parameter-missing' ? missingText(field) : textOf(error)
    },
  }
}
