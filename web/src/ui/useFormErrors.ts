import type { UseFormReturnType } from '@mantine/form'
import { useErrorText } from './useErrorText.ts'

type Options<F extends string> = {
  /** In visual order: the first invalid one gets the focus. */
  fields: readonly F[]
  /** Text for an empty required field; absent: the general text. */
  missingText?: (field: F) => string
}

/** Error texts and focus of a form's invalid fields. */
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
    /** Error text of a field; undefined if valid. */
    textOfError: (field: F): string | undefined => {
      const error = form.errors[field]
      if (!error) return undefined
      return missingText && error === 'required-parameter-missing' ? missingText(field) : textOf(error)
    },
  }
}
