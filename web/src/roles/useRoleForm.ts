import { useForm } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { fieldErrors } from '../core/errors.ts'
import { useBanner } from '../core/useBanner.ts'
import { useErrorText } from '../ui/useErrorText.ts'
import { type RoleValues, roleErrors } from './roleValues.ts'

const FIELDS = ['name', 'description', 'permissions', 'requiredFactor']

/** Form of a role, with its error banner. */
export function useRoleForm(initial: RoleValues) {
  const { t } = useTranslation('roles')
  const textOf = useErrorText()
  const banner = useBanner()
  const form = useForm<RoleValues>({ initialValues: initial, validate: roleErrors })

  const showErrors = (errors: Record<string, unknown>) => {
    if (errors.permissions === 'role-permissions-required') banner.show(t('select-permission'))
    if (errors.name) form.getInputNode('name')?.focus()
  }
  return {
    form,
    banner,
    /** Shows errors of client-side validation. */
    showErrors,
    /** Error text of a field; undefined if valid. */
    textOfError: (field: keyof RoleValues) => (form.errors[field] ? textOf(form.errors[field]) : undefined),
    /** Shows the server's errors beside their fields, all others in the banner. */
    show: (failure: unknown) => {
      const errors = fieldErrors(failure, FIELDS)
      form.setErrors(errors)
      showErrors(errors)
      banner.show(isWithoutText(textOf(failure)) ? t('save-failed') : failure)
    },
  }
}

/** Texts of errors without content. */
const isWithoutText = (text: string) => ['', '{}', 'null'].includes(text)

export type RoleForm = ReturnType<typeof useRoleForm>
