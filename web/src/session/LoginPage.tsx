import { Button, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { login } from '@rogatka/contract/session.ts'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { zod4Resolver } from 'mantine-form-zod-resolver'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { fieldErrors, hasMore } from '../core/errors.ts'
import { dismissSessionEnd, startSession, useSession } from '../core/session.ts'
import { useBanner, useClearing } from '../core/useBanner.ts'
import { useBuild } from '../core/useBuild.ts'
import { useTitle } from '../core/useTitle.ts'
import { Brand } from '../ui/Brand.tsx'
import { ErrorBanner } from '../ui/ErrorBanner.tsx'
import { Notice } from '../ui/Notice.tsx'
import { PasswordField } from '../ui/PasswordField.tsx'
import { useErrorText } from '../ui/useErrorText.ts'
import css from './Doorstep.module.css'
import { Doorstep } from './Doorstep.tsx'

const FIELDS = ['username', 'password'] as const

/** Signs in; says why the last session ended. */
export function LoginPage() {
  const { t } = useTranslation('session')
  const { build } = useBuild()
  const { ended } = useSession()
  const textOf = useErrorText()
  const banner = useBanner()
  const isSeen = useFirstActivity()
  useClearing(isSeen ? ended : null, dismissSessionEnd)
  useTitle(t('title-login'))
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { username: '', password: '' },
    validate: zod4Resolver(login.body),
  })
  const signIn = useMutation({
    onMutate: banner.clear,
    mutationFn: (body: { username: string; password: string }) => call(login, { body }),
    onSuccess: ({ token }) => (token ? startSession(token) : banner.show('Token is missing in the response')),
    onError: (error) => {
      const errors = fieldErrors(error, FIELDS)
      form.setErrors(errors)
      form.getInputNode(FIELDS.find((field) => errors[field]) ?? 'password')?.focus()
      if (hasMore(error, FIELDS)) banner.show(error)
    },
  })
  return (
    <Doorstep
      links={
        <>
          <Link to="/reset-password">{t('forgotten')}</Link>
          {build?.legacyUrl && (
            <a href={build.legacyUrl} rel="noreferrer">
              {t('legacy')}
            </a>
          )}
        </>
      }
    >
      <form
        className={css.form}
        noValidate
        onSubmit={form.onSubmit(
          (values) => signIn.mutate(values),
          (errors) => form.getInputNode(FIELDS.find((field) => errors[field]) ?? 'username')?.focus(),
        )}
      >
        <h1 className={css.brand}>
          <Brand size="large" />
        </h1>
        {ended && <Notice dismiss={dismissSessionEnd}>{t(`core:${ended}`)}</Notice>}
        {banner.shown && <ErrorBanner error={banner.shown.error} dismiss={banner.clear} />}
        <TextInput
          size="lg"
          label={t('username')}
          autoComplete="username"
          autoCapitalize="none"
          maxLength={100}
          spellCheck={false}
          autoFocus
          key={form.key('username')}
          {...form.getInputProps('username')}
          error={form.errors.username && textOf(form.errors.username)}
        />
        <PasswordField
          size="lg"
          label={t('password')}
          autoComplete="current-password"
          maxLength={200}
          key={form.key('password')}
          {...form.getInputProps('password')}
          error={form.errors.password && textOf(form.errors.password)}
        />
        <Button type="submit" size="lg" fullWidth loading={signIn.isPending}>
          {t('sign-in')}
        </Button>
      </form>
    </Doorstep>
  )
}

const SIGNS = ['mousemove', 'keydown', 'touchstart', 'click'] as const

/** Whether anybody has touched the page: before that nobody has read it. */
function useFirstActivity(): boolean {
  const [isSeen, setSeen] = useState(false)
  useEffect(() => {
    const see = () => setSeen(true)
    for (const sign of SIGNS) document.addEventListener(sign, see, { once: true, passive: true })
    return () => {
      for (const sign of SIGNS) document.removeEventListener(sign, see)
    }
  }, [])
  return isSeen
}
