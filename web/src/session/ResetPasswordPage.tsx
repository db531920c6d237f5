import { Button, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { hasRight } from '@rogatka/contract/access.ts'
import { RESET_TOKEN_MINUTES, resetPassword } from '@rogatka/contract/session.ts'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { zod4Resolver } from 'mantine-form-zod-resolver'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { fieldErrors } from '../core/errors.ts'
import { useBanner } from '../core/useBanner.ts'
import { useBuild } from '../core/useBuild.ts'
import { useSelf } from '../core/useSelf.ts'
import { useTitle } from '../core/useTitle.ts'
import { ErrorBanner } from '../ui/ErrorBanner.tsx'
import { Notice } from '../ui/Notice.tsx'
import { useErrorText } from '../ui/useErrorText.ts'
import css from './AuthLayout.module.css'
import { AuthLayout } from './AuthLayout.tsx'

/** Requests a reset e-mail. Does not reveal whether the address belongs to an account. */
export function ResetPasswordPage() {
  const { t } = useTranslation('session')
  const { data: self } = useSelf()
  const { build } = useBuild()
  useTitle(t('reset-title'))
  const forbidden = self !== undefined && !hasRight(self.permissions, 'PasswordChange')
  return (
    <AuthLayout build={build} links={<Link to="/login">{t(self ? 'core:go-home' : 'to-login')}</Link>}>
      {forbidden ? <Notice kind="quiet">{t('errors:forbidden')}</Notice> : <ResetForm />}
    </AuthLayout>
  )
}

function ResetForm() {
  const { t } = useTranslation('session')
  const textOf = useErrorText()
  const banner = useBanner()
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { email: '' },
    validate: zod4Resolver(resetPassword.body),
    transformValues: ({ email }) => ({ email: email.trim() }),
  })
  const requestReset = useMutation({
    onMutate: banner.clear,
    mutationFn: (body: { email: string }) => call(resetPassword, { body }),
    onError: (error) => {
      form.setErrors(fieldErrors(error, ['email']))
      form.getInputNode('email')?.focus()
      banner.show(error)
    },
  })
  if (requestReset.isSuccess)
    return (
      <div className={css.form}>
        <h1 className={css.title}>{t('reset-title')}</h1>
        <Notice kind="quiet">{t('reset-sent', { minutes: RESET_TOKEN_MINUTES })}</Notice>
        <Button
          size="lg"
          fullWidth
          renderRoot={(props) => (
            <Link to="/reset-password/reset/$email" params={{ email: requestReset.variables.email }} {...props} />
          )}
        >
          {t('have-token')}
        </Button>
      </div>
    )
  return (
    <form
      className={css.form}
      noValidate
      onSubmit={form.onSubmit(
        (values) => requestReset.mutate(values),
        () => form.getInputNode('email')?.focus(),
      )}
    >
      <h1 className={css.title}>{t('reset-title')}</h1>
      <p>{t('reset-hint')}</p>
      {banner.message && <ErrorBanner error={banner.message.error} dismiss={banner.clear} />}
      <TextInput
        size="lg"
        type="email"
        label={t('email')}
        autoComplete="email"
        maxLength={120}
        autoFocus
        key={form.key('email')}
        {...form.getInputProps('email')}
        error={form.errors.email && textOf(form.errors.email)}
      />
      <Button type="submit" size="lg" fullWidth loading={requestReset.isPending}>
        {t('send-token')}
      </Button>
    </form>
  )
}
