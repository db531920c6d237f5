import { Button, TextInput } from '@mantine/core'
import type { WirePendingSignIn, WireSignInOutcome } from '@rogatka/contract/session-outcome.ts'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { readStored, writeStored } from '../core/browserStorage.ts'
import { canUsePasskeys } from '../core/canUsePasskeys.ts'
import { fieldErrors } from '../core/errors.ts'
import { firstPaint } from '../core/firstPaint.ts'
import { loadTexts } from '../core/i18n.ts'
import { hasMoved } from '../core/pointer.ts'
import type { ProviderReturn } from '../core/providerAnswer.ts'
import { dismissSessionEnd, startSession, useSession } from '../core/session.ts'
import { useAutoClear, useBanner } from '../core/useBanner.ts'
import type { Build } from '../core/useBuild.ts'
import { useTitle } from '../core/useTitle.ts'
import { Brand } from '../ui/Brand.tsx'
import { ErrorBanner } from '../ui/ErrorBanner.tsx'
import { KeyIcon } from '../ui/icons.tsx'
import { Notice } from '../ui/Notice.tsx'
import { PasswordField } from '../ui/PasswordField.tsx'
import { ProviderButton } from '../ui/ProviderButton.tsx'
import { useErrorText } from '../ui/useErrorText.ts'
import css from './AuthLayout.module.css'
import { AuthLayout } from './AuthLayout.tsx'

const FIELDS = ['username', 'password'] as const
type Field = (typeof FIELDS)[number]

/** Loaded after the first paint: calls and schemas are as large as the page. Only calls have errors. */
const loadCalls = async () => {
  const [calls] = await Promise.all([import('./signIn.ts'), loadTexts(['errors'])])
  return calls
}

/**
 * Login page; shows why the last session ended. Loaded before the portal, so it uses no router, queries or schemas. `answer`:
 * of the provider from which the browser comes.
 */
export function LoginPage({ answer = null }: { answer?: ProviderReturn | null }) {
  const { t } = useTranslation('session')
  const build = useBuildAfterPaint()
  const { ended } = useSession()
  const hasActivity = useFirstActivity()
  useAutoClear(hasActivity ? ended : null, dismissSessionEnd)
  useTitle(t('title-login'))
  const {
    form,
    field,
    banner,
    hasLoadError,
    isPending,
    submit,
    second,
    restart,
    usePasskey,
    isUsingPasskey,
    askProvider,
    provider,
  } = useSignIn(answer)
  const hasPasskeys = useHasPasskeys(build)
  const providers = useProviders(build)
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
      <h1 className={css.brand}>
        <Brand size="large" />
      </h1>
      {second && (
        <second.SecondStep
          pending={second.pending}
          providers={providers}
          username={second.username}
          after={second.after}
          onToken={startSession}
          onEnd={restart}
        />
      )}
      {!second && (
        <form ref={form} className={css.form} noValidate onSubmit={submit}>
          {ended && <Notice dismiss={dismissSessionEnd}>{t(`core:${ended}`)}</Notice>}
          {banner.message && <ErrorBanner error={banner.message.error} dismiss={banner.clear} />}
          {/* Browsers cache a failed import until the page is reloaded. */}
          {hasLoadError && <ErrorBanner error={t('core:page-not-loaded')} retry={() => location.reload()} />}
          {providers.map(({ id, label }) => (
            <ProviderButton
              key={id}
              loading={provider === id}
              disabled={provider !== null && provider !== id}
              onClick={() => askProvider(id)}
            >
              {t('use-provider', { provider: label })}
            </ProviderButton>
          ))}
          {hasPasskeys && (
            <Button
              variant="default"
              size="lg"
              fullWidth
              leftSection={<KeyIcon />}
              loading={isUsingPasskey}
              onClick={usePasskey}
            >
              {t('use-passkey')}
            </Button>
          )}
          {(hasPasskeys || providers.length > 0) && <p className={css.or}>{t('or-password')}</p>}
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
          <Button
            type="submit"
            size="lg"
            fullWidth
            loading={isPending}
            {...(providers.length > 0 && { variant: 'default' })}
          >
            {t('sign-in')}
          </Button>
        </form>
      )}
    </AuthLayout>
  )
}

/** Loaded only for accounts with a second factor. */
const loadSecondStep = async () => {
  const [step] = await Promise.all([import('../factors/publicApi.ts'), loadTexts(['factors'])])
  return step
}

type FactorsModule = Awaited<ReturnType<typeof loadSecondStep>>
type SecondStep = FactorsModule & {
  pending: WirePendingSignIn
  username: string
  after: 'password' | 'provider'
}

/** State of the login form: field errors beside the fields, all others in the banner. */
function useSignIn(answer: ProviderReturn | null) {
  const { t } = useTranslation('session')
  const textOf = useErrorText()
  const banner = useBanner()
  const [isUsingPasskey, setUsingPasskey] = useState(false)
  /** The provider that is being asked, or whose answer is checked. */
  const [provider, setProvider] = useState(answer?.provider ?? null)
  const form = useRef<HTMLFormElement>(null)
  const { token } = useSession()
  const [isSending, setSending] = useState(false)
  const [hasLoadError, setHasLoadError] = useState(false)
  const [second, setSecond] = useState<SecondStep>()
  const [errors, setErrors] = useState<Partial<Record<Field, string>>>({})

  const showFieldErrors = (errors: Partial<Record<Field, string>>, fallback: Field) => {
    setErrors(errors)
    const name = FIELDS.find((field) => errors[field]) ?? fallback
    ;(form.current?.elements.namedItem(name) as HTMLInputElement | null)?.focus()
  }
  const proceed = async (username: string, after: SecondStep['after'], { token, pending }: WireSignInOutcome) => {
    if (token) startSession(token)
    else if (pending) {
      const step = await loadSecondStep().catch(() => null)
      if (!step) return setHasLoadError(true)
      setSecond({ ...step, pending, username, after })
    } else banner.show('Token is missing in the response')
  }
  const send = async (values: FormData) => {
    const calls = await loadCalls().catch(() => null)
    if (!calls) return setHasLoadError(true)
    const username = String(values.get('username'))
    const outcome = await calls.signIn({ username, password: String(values.get('password')) })
    if ('errors' in outcome) return showFieldErrors(outcome.errors, 'username')
    await proceed(username, 'password', outcome)
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isSending) return
    banner.clear()
    setErrors({})
    setSending(true)
    send(new FormData(event.currentTarget))
      .catch((error) => {
        showFieldErrors(fieldErrors(error, FIELDS), 'password')
        banner.show(error)
      })
      .finally(() => setSending(false))
  }
  const usePasskey = () => {
    if (isUsingPasskey) return
    banner.clear()
    setErrors({})
    setUsingPasskey(true)
    const work = async () => {
      const step = await Promise.all([loadSecondStep(), loadCalls()]).then(
        ([step]) => step,
        () => null,
      )
      if (!step) return setHasLoadError(true)
      try {
        await proceed('', 'password', await step.signInWithPasskey())
      } catch (failure) {
        banner.show(failure instanceof step.PasskeyNotUsed ? t('factors:passkey-failed') : failure)
      }
    }
    void work().finally(() => setUsingPasskey(false))
  }
  /** Does something with a provider, which may take ten seconds; meanwhile the password works. */
  const withProvider = async (id: string, work: (step: FactorsModule) => Promise<unknown>) => {
    banner.clear()
    setErrors({})
    setProvider(id)
    const step = await Promise.all([loadSecondStep(), loadCalls()]).then(
      ([step]) => step,
      () => null,
    )
    if (step) await work(step).catch(banner.show)
    else setHasLoadError(true)
    setProvider(null)
  }
  const askProvider = (id: string) =>
    void (provider === null && withProvider(id, (step) => step.startProviderSignIn(id)))
  const redeem = useRef(answer)
  useEffect(() => {
    const taken = redeem.current
    redeem.current = null
    if (!taken) return
    const complete = async (step: FactorsModule) => {
      const { username = '', ...outcome } = await step.signInWithAnswer(taken)
      await proceed(username, 'provider', outcome)
    }
    void withProvider(taken.provider, complete)
  })
  /** Back to the password; the error says why, null: the user wants to. */
  const restart = (error: unknown) => {
    setSecond(undefined)
    if (error !== null) banner.show(error)
  }
  const field = (name: Field) => ({
    name,
    onChange: () => setErrors((current) => (current[name] === undefined ? current : { ...current, [name]: undefined })),
    error: errors[name] && textOf(errors[name]),
  })
  // Pending also after success, while the portal loads.
  return {
    form,
    field,
    banner,
    hasLoadError,
    submit,
    second,
    restart,
    usePasskey,
    isUsingPasskey,
    askProvider,
    provider,
    isPending: isSending || token !== null,
  }
}

/** The build, requested after the first paint; undefined while loading and on errors. */
function useBuildAfterPaint(): Build | undefined {
  const [build, setBuild] = useState<Build>()
  useEffect(() => {
    let isMounted = true
    firstPaint
      .then(loadCalls)
      .then(({ fetchBuild }) => fetchBuild())
      .then(
        (build) => isMounted && setBuild(build),
        () => undefined,
      )
    return () => {
      isMounted = false
    }
  }, [])
  return build
}

const PASSKEYS = 'signInPasskeys'

/**
 * Whether the portal and the browser have passkeys: until the build is known, as at the last visit, so that nothing on the
 * page moves.
 */
function useHasPasskeys(build: Build | undefined): boolean {
  const [stored] = useState(() => readStored('local', PASSKEYS) === 'true')
  const has = build?.passkeys
  useEffect(() => {
    if (has !== undefined) writeStored('local', PASSKEYS, has ? 'true' : null)
  }, [has])
  return (has ?? stored) && canUsePasskeys()
}

const PROVIDERS = 'signInProviders'

/** The providers through which users sign in: until the build is known, as at the last visit. */
function useProviders(build: Build | undefined): Build['providers'] {
  const [stored] = useState(() => readStored('local', PROVIDERS))
  const current = build && JSON.stringify(build.providers)
  useEffect(() => {
    if (current !== undefined) writeStored('local', PROVIDERS, current === '[]' ? null : current)
  }, [current])
  const text = current ?? stored
  return text === null ? [] : (JSON.parse(text) as Build['providers'])
}

const ACTIVITY_EVENTS = ['mousemove', 'keydown', 'touchstart', 'click'] as const

/** Whether the user has touched the page, so that the message has probably been read. */
function useFirstActivity(): boolean {
  const [hasActivity, setHasActivity] = useState(false)
  useEffect(() => {
    const onActivity = (event: Event) => {
      if (event.type !== 'mousemove' || hasMoved(event as MouseEvent)) setHasActivity(true)
    }
    for (const eventType of ACTIVITY_EVENTS) document.addEventListener(eventType, onActivity, { passive: true })
    return () => {
      for (const eventType of ACTIVITY_EVENTS) document.removeEventListener(eventType, onActivity)
    }
  }, [])
  return hasActivity
}
