import { Button, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { setPassword } from '@rogatka/contract/session.ts'
import { PASSWORD_LENGTH } from '@rogatka/contract/users.ts'
import { useMutation } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { ApiFailure } from '../core/failure.ts'
import { endSession, session } from '../core/session.ts'
import { useBuild } from '../core/useBuild.ts'
import { useTitle } from '../core/useTitle.ts'
import { Notice } from '../ui/Notice.tsx'
import { PasswordField } from '../ui/PasswordField.tsx'
import { StrengthMeter } from '../ui/StrengthMeter.tsx'
import { useErrorText } from '../ui/useErrorText.ts'
import css from './AuthLayout.module.css'
import { AuthLayout } from './AuthLayout.tsx'
import { type SetPasswordValues, setPasswordErrors, withoutPrefix } from './setPasswordValues.ts'
import { useStrength } from './useStrength.ts'

const FIELDS = ['token', 'newPassword', 'confirmPassword'] as const

/** Delay before the login opens, to show the success message. */
const SUCCESS_MS = 2500

/** Sets a new password with the token from the e-mail. The address is in the path, or in the query. */
export function SetPasswordPage() {
  const { t } = useTranslation('session')
  const { build } = useBuild()
  const inPath = useParams({ strict: false }).email
  const inQuery = (useSearch({ strict: false }) as Record<string, unknown>).email
  const email = inPath ?? (inQuery === undefined ? '' : String(inQuery))
  useTitle(t('new-password-title'))
  return (
    <AuthLayout build={build} links={<Link to="/login">{t('to-login')}</Link>}>
      {email === '' ? (
        <div className={css.form}>
          <h1 className={css.title}>{t('new-password-title')}</h1>
          <Notice>{t('address-missing')}</Notice>
          <Button component={Link} to="/reset-password" size="lg" fullWidth>
            {t('reset-title')}
          </Button>
        </div>
      ) : (
        <SetPasswordForm email={email} />
      )}
    </AuthLayout>
  )
}

function SetPasswordForm({ email }: { email: string }) {
  const { t } = useTranslation('session')
  const navigate = useNavigate()
  const textOf = useErrorText()
  const minLength = useBuild().build?.passwordMinLength ?? PASSWORD_LENGTH
  const form = useForm<SetPasswordValues>({
    initialValues: { token: '', newPassword: '', confirmPassword: '' },
    validate: (values) => setPasswordErrors(values, minLength),
  })
  const strength = useStrength(form.values.newPassword, [email])
  const set = useMutation({
    mutationFn: ({ token, newPassword }: SetPasswordValues) =>
      call(setPassword, { body: { email, password: newPassword, token: token.trim() } }),
    onError: () => form.getInputNode('token')?.focus(),
  })
  useEffect(() => {
    if (!set.isSuccess) return
    const timer = setTimeout(() => {
      // The server has ended all sessions of the user, perhaps this one.
      if (session.get().token !== null) endSession(null)
      void navigate({ to: '/login' })
    }, SUCCESS_MS)
    return () => clearTimeout(timer)
  }, [set.isSuccess, navigate])

  const field = (name: (typeof FIELDS)[number]) => ({
    size: 'lg',
    maxLength: 200,
    ...form.getInputProps(name),
    error: form.errors[name] && t(String(form.errors[name]), { length: minLength }),
  })
  const password = (name: 'newPassword' | 'confirmPassword', label: string) => (
    <PasswordField label={label} autoComplete="new-password" {...field(name)} />
  )
  return (
    <form
      className={css.form}
      noValidate
      onSubmit={form.onSubmit(
        (values) => set.mutate(values),
        (errors) => form.getInputNode(FIELDS.find((name) => errors[name]) ?? 'token')?.focus(),
      )}
    >
      <h1 className={css.title}>{t('new-password-title')}</h1>
      <p className={css.account}>{email}</p>
      {set.isSuccess && <Notice kind="quiet">{t('password-set')}</Notice>}
      <TextInput label={t('token')} autoComplete="one-time-code" spellCheck={false} autoFocus {...field('token')} />
      {password('newPassword', t('ui:new-password'))}
      <StrengthMeter
        label={t('strength')}
        strength={strength}
        strengthText={strength ? t(`strength-${strength}`) : '–'}
      />
      {password('confirmPassword', t('confirm-password'))}
      {set.error && (
        <p className={css.failure} role="alert">
          {errorText(set.error, textOf(set.error))}
        </p>
      )}
      <Button type="submit" size="lg" fullWidth loading={set.isPending} disabled={set.isSuccess}>
        {t('set-password')}
      </Button>
    </form>
  )
}

/** The server's text for its errors, else the general text. */
const errorText = (error: Error, fallback: string) =>
  error instanceof ApiFailure && error.errors.length > 0 ? withoutPrefix(error.message) : fallback
