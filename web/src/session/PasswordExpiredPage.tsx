import { Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import { updatePassword } from '@rogatka/contract/preferences.ts'
import { useMutation } from '@tanstack/react-query'
import { Link, useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { fieldErrors } from '../core/errors.ts'
import { ExpiryDialog } from '../core/frame/ExpiryDialog.tsx'
import { queryClient } from '../core/queryClient.ts'
import { setMustChangePassword } from '../core/session.ts'
import { useBanner } from '../core/useBanner.ts'
import { useBuild } from '../core/useBuild.ts'
import { selfQuery, useSelf } from '../core/useSelf.ts'
import { useTitle } from '../core/useTitle.ts'
import { ErrorBanner } from '../ui/ErrorBanner.tsx'
import { Notice } from '../ui/Notice.tsx'
import { PasswordField } from '../ui/PasswordField.tsx'
import { StrengthMeter } from '../ui/StrengthMeter.tsx'
import { useErrorText } from '../ui/useErrorText.ts'
import css from './AuthLayout.module.css'
import { AuthLayout } from './AuthLayout.tsx'
import { PasswordProposal } from './PasswordProposal.tsx'
import { useStrength } from './useStrength.ts'

const FIELDS = ['password', 'newPassword'] as const

/** Delay before the portal opens, to show the success message. */
const SUCCESS_MS = 1200

/** Page that requires a new password before anything else. */
export function PasswordExpiredPage() {
  const { t } = useTranslation('session')
  const router = useRouter()
  const { data: self } = useSelf()
  const { build } = useBuild()
  const textOf = useErrorText()
  const banner = useBanner()
  const [visible, setVisible] = useState(false)
  useTitle(t('new-password-title'))
  const required = (value: string) => (value === '' ? t('password-required') : null)
  const form = useForm({
    initialValues: { password: '', newPassword: '' },
    validate: { password: required, newPassword: required },
  })
  const strength = useStrength(form.values.newPassword, [self?.username, self?.firstName, self?.lastName, self?.email])
  const change = useMutation({
    onMutate: banner.clear,
    mutationFn: (body: { password: string; newPassword: string }) => call(updatePassword, { body }),
    onError: (error) => {
      const errors = fieldErrors(error, FIELDS)
      form.setErrors(errors)
      form.getInputNode(FIELDS.find((name) => errors[name]) ?? 'password')?.focus()
      banner.show(error)
    },
  })
  useEffect(() => {
    if (!change.isSuccess) return
    const timer = setTimeout(() => void reloadSelf().then(() => router.invalidate()), SUCCESS_MS)
    return () => clearTimeout(timer)
  }, [change.isSuccess, router])

  const applyProposal = (proposal: string) => {
    form.setFieldValue('newPassword', proposal)
    form.clearFieldError('newPassword')
    // The user has to see a proposed password before setting it.
    setVisible(true)
  }
  const field = (name: (typeof FIELDS)[number], autoComplete: string) => ({
    size: 'lg',
    autoComplete,
    maxLength: 200,
    ...form.getInputProps(name),
    error: form.errors[name] && textOf(form.errors[name]),
  })
  return (
    <AuthLayout build={build} links={<Link to="/logout">{t('core:logout')}</Link>}>
      <ExpiryDialog />
      <form
        className={css.form}
        noValidate
        onSubmit={form.onSubmit(
          (values) => change.mutate(values),
          (errors) => form.getInputNode(FIELDS.find((name) => errors[name]) ?? 'password')?.focus(),
        )}
      >
        <h1 className={css.title}>{t('new-password-title')}</h1>
        {change.isSuccess ? (
          <Notice kind="quiet">{t('ui:updated')}</Notice>
        ) : (
          <Notice>{t('errors:password-expired')}</Notice>
        )}
        {banner.message && <ErrorBanner error={banner.message.error} dismiss={banner.clear} />}
        <input type="text" autoComplete="username" value={self?.username ?? ''} readOnly hidden />
        <PasswordField label={t('ui:current-password')} {...field('password', 'current-password')} />
        <PasswordField
          label={t('ui:new-password')}
          visible={visible}
          onVisibilityChange={setVisible}
          {...field('newPassword', 'new-password')}
        />
        <StrengthMeter
          label={t('strength')}
          strength={strength}
          strengthText={strength ? t(`strength-${strength}`) : '–'}
        />
        <PasswordProposal onUse={applyProposal} />
        <Button type="submit" size="lg" fullWidth loading={change.isPending} disabled={change.isSuccess}>
          {t('set-password')}
        </Button>
      </form>
    </AuthLayout>
  )
}

/** Reloads the user, who no longer needs a new password, so that the guard lets them pass. */
async function reloadSelf() {
  await queryClient.fetchQuery({ ...selfQuery, staleTime: 0 }).catch(() => undefined)
  setMustChangePassword(false)
}
