import { Button, TextInput } from '@mantine/core'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { fieldErrors } from '../core/errors.ts'
import { firstPaint } from '../core/firstPaint.ts'
import { dismissSessionEnd, startSession, useSession } from '../core/session.ts'
import { useAutoClear, useBanner } from '../core/useBanner.ts'
import type { Build } from '../core/useBuild.ts'
import { useTitle } from '../core/useTitle.ts'
import { Brand } from '../ui/Brand.tsx'
import { ErrorBanner } from '../ui/ErrorBanner.tsx'
import { Notice } from '../ui/Notice.tsx'
import { PasswordField } from '../ui/PasswordField.tsx'
import { useErrorText } from '../ui/useErrorText.ts'
import css from './AuthLayout.module.css'
import { AuthLayout } from './AuthLayout.tsx'

const FIELDS = ['username', 'password'] as const
type Field = (typeof FIELDS)[number]

/** The calls and their schemas weigh as much as the page: they follow when it is shown. */
const loadCalls = () => import('./signIn.ts')

/**
 * Signs in; says why the last session ended. Shown before the portal itself is loaded, so it knows neither router nor
 * queries nor schemas.
 */
export function LoginPage() {
  const { t } = useTranslation('session')
  const build = useLateBuild()
  const { ended } = useSession()
  const isSeen = useFirstActivity()
  useAutoClear(isSeen ? ended : null, dismissSessionEnd)
  useTitle(t('title-login'))
  const { form, field, banner, isBroken, isPending, submit } = useSignIn()
  return (
    <AuthLayout
      build={build}
      links={
        <>
          <a href="/reset-password">{t('forgotten')}</a>
          {build?.legacyUrl && (
            <a href={build.legacyUrl} rel="noreferrer">
              {t('legacy')}
            </a>
          )}
        </>
      }
    >
      <form ref={form} className={css.form} noValidate onSubmit={submit}>
        <h1 className={css.brand}>
          <Brand size="large" />
        </h1>
        {ended && <Notice dismiss={dismissSessionEnd}>{t(`core:${ended}`)}</Notice>}
        {banner.shown && <ErrorBanner error={banner.shown.error} dismiss={banner.clear} />}
        {/* A browser remembers a script that failed for as long as the page lives: only a new page asks again. */}
        {isBroken && <ErrorBanner error={t('core:page-not-loaded')} retry={() => location.reload()} />}
        <TextInput
          size="lg"
          label={t('ui:username')}
          autoComplete="username"
          autoCapitalize="none"
          maxLength={100}
          spellCheck={false}
          autoFocus
          {...field('username')}
        />
        <PasswordField
          size="lg"
          label={t('password')}
          autoComplete="current-password"
          maxLength={200}
          {...field('password')}
        />
        <Button type="submit" size="lg" fullWidth loading={isPending}>
          {t('sign-in')}
        </Button>
      </form>
    </AuthLayout>
  )
}

/** The form of the login: what is wrong stands at its field, the rest in the banner. */
function useSignIn() {
  const textOf = useErrorText()
  const banner = useBanner()
  const form = useRef<HTMLFormElement>(null)
  const { token } = useSession()
  const [isSending, setSending] = useState(false)
  const [isBroken, setBroken] = useState(false)
  const [errors, setErrors] = useState<Partial<Record<Field, string>>>({})

  const refuse = (errors: Partial<Record<Field, string>>, otherwise: Field) => {
    setErrors(errors)
    const name = FIELDS.find((field) => errors[field]) ?? otherwise
    ;(form.current?.elements.namedItem(name) as HTMLInputElement | null)?.focus()
  }
  const send = async (values: FormData) => {
    const calls = await loadCalls().catch(() => null)
    if (!calls) return setBroken(true)
    const outcome = await calls.signIn({
      username: String(values.get('username')),
      password: String(values.get('password')),
    })
    if ('errors' in outcome) refuse(outcome.errors, 'username')
    else if (outcome.token) startSession(outcome.token)
    else banner.show('Token is missing in the response')
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isSending) return
    banner.clear()
    setErrors({})
    setSending(true)
    send(new FormData(event.currentTarget))
      .catch((error) => {
        refuse(fieldErrors(error, FIELDS), 'password')
        banner.show(error)
      })
      .finally(() => setSending(false))
  }
  const field = (name: Field) => ({
    name,
    onChange: () => setErrors((now) => (now[name] === undefined ? now : { ...now, [name]: undefined })),
    error: errors[name] && textOf(errors[name]),
  })
  // Signed in: the portal is on its way.
  return { form, field, banner, isBroken, submit, isPending: isSending || token !== null }
}

/** The build, asked for when the page is shown; undefined until then, and when the server does not say it. */
function useLateBuild(): Build | undefined {
  const [build, setBuild] = useState<Build>()
  useEffect(() => {
    let isShown = true
    firstPaint
      .then(loadCalls)
      .then(({ fetchBuild }) => fetchBuild())
      .then(
        (build) => isShown && setBuild(build),
        () => undefined,
      )
    return () => {
      isShown = false
    }
  }, [])
  return build
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
