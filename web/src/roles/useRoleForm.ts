import { useForm } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { fieldErrors } from '../core/errors.ts'
import { useBanner } from '../core/useBanner.ts'
import { useErrorText } from '../ui/useErrorText.ts'
import { type RoleValues, roleErrors } from './roleValues.ts'

const FIELDS = ['name', 'description', 'permissions']

/** The form of a role, with the banner above it. */
export function useRoleForm(initial: RoleValues) {
  const { t } = useTranslation('roles')
  const textOf = useErrorText()
  const banner = useBanner()
  const form = useForm<RoleValues>({ initialValues: initial, validate: roleErrors })

  const refuse = (errors: Record<string, unknown>) => {
    if (errors.permissions === 'role-permissions-required') banner.show(t('choose-permission'))
    if (errors.name) form.getInputNode('name')?.focus()
  }
  return {
    form,
    banner,
    /** What is wrong with the form before it is sent. */
    refuse,
    /** What is wrong with a field, in words. */
    textOfError: (field: keyof RoleValues) => (form.errors[field] ? textOf(form.errors[field]) : undefined),
    /** Puts what the server refused beside its fields, and what has none into the banner. */
    show: (failure: unknown) => {
      const errors = fieldErrors(failure, FIELDS)
      form.setErrors(errors)
      refuse(errors)
      banner.show(withoutText(textOf(failure)) ? t('save-failed') : failure)
    },
  }
}

/** What is left of a failure that says nothing. */
const withoutText = (text: string) => ['', '{}', 'null'].includes(text)

export type RoleForm = ReturnType<typeof useRoleForm>
