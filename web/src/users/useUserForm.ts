import { useForm } from '@mantine/form'
import { ADMINISTRATOR_PASSWORD_LENGTH, PASSWORD_LENGTH } from '@rogatka/contract/users.ts'
import { useTranslation } from 'react-i18next'
import { fieldErrors } from '../core/errors.ts'
import { useBuild } from '../core/useBuild.ts'
import { useFormErrors } from '../ui/useFormErrors.ts'
import { fieldOf, PATHS, type UserValues, userErrors } from './userValues.ts'

/** In visual order: the first invalid field gets the focus. */
const FIELDS: (keyof UserValues)[] = [
  'username',
  'role',
  'password',
  'repeatPassword',
  'enabled',
  'firstName',
  'lastName',
  'email',
  'number',
]

/** Form of a user; `before` is the stored user, null for a new one. */
export function useUserForm(initial: UserValues, before: () => UserValues | null, isOfProvider = false) {
  const { t } = useTranslation('users')
  const minLength = useBuild().build?.passwordMinLength ?? PASSWORD_LENGTH
  const form = useForm<UserValues>({
    initialValues: initial,
    validate: (values) => userErrors(values, before(), { minLength, isOfProvider }),
  })
  const { focusFirst, textOfError } = useFormErrors(form, {
    fields: FIELDS,
    missingText: (field) => t(`missing-${field}`),
  })
  return {
    form,
    focusFirst,
    /** Minimum lengths of a password, and of an administrator's. */
    lengths: { length: minLength, administrator: Math.max(minLength, ADMINISTRATOR_PASSWORD_LENGTH) },
    /** Error text of a field; undefined if valid. */
    textOfError: (field: keyof UserValues): string | undefined => {
      const error = form.errors[field]
      if (error === 'password-for-admin-cannot-be-shorter-than-12' && form.getValues().password === '')
        return t('missing-administrator-password')
      if (error === 'passwords-are-not-the-same') return t('passwords-are-not-the-same')
      if (error === 'password-too-short') return t('errors:password-too-short', { length: minLength })
      return textOfError(field)
    },
    /** Shows the server's errors beside their fields. */
    show: (failure: unknown) => {
      const errors = Object.fromEntries(
        Object.entries(fieldErrors(failure, PATHS)).map(([path, text]) => [fieldOf(path), text]),
      )
      form.setErrors(errors)
      focusFirst(errors)
    },
  }
}

export type UserForm = ReturnType<typeof useUserForm>
