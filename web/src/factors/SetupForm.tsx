import { Button, Checkbox } from '@mantine/core'
import { confirmAuthenticator, type WireSetup } from '@rogatka/contract/session-factors.ts'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { copyText } from '../core/copyText.ts'
import { fieldErrors } from '../core/errors.ts'
import { useBanner } from '../core/useBanner.ts'
import { useSelf } from '../core/useSelf.ts'
import { useSuccessToast } from '../core/useSuccessToast.ts'
import { useWarningToast } from '../core/useWarningToast.ts'
import { ErrorBanner } from '../ui/ErrorBanner.tsx'
import { LinkIcon } from '../ui/icons.tsx'
import { Loading } from '../ui/Loading.tsx'
import { Panel } from '../ui/Panel.tsx'
import { PasswordField } from '../ui/PasswordField.tsx'
import { CodeField } from './CodeField.tsx'
import css from './Factors.module.css'
import { QrCode } from './QrCode.tsx'
import { RecoveryCodes } from './RecoveryCodes.tsx'
import { useSetup } from './useSetup.ts'

type Props = { username: string; onDone: () => void; onCancel?: () => void }

/** Sets up an authenticator app: its key, recovery codes, and the confirmation with a code and the password. */
export function SetupForm(props: Props) {
  const { t } = useTranslation('factors')
  const { data, error, refetch } = useSetup()
  if (data) return <Steps {...props} setup={data} />
  return error ? (
    <ErrorBanner error={error} title={t('setup-failed')} retry={() => void refetch()} />
  ) : (
    <Loading label={t('setup-loading')} />
  )
}

const FIELDS = ['code', 'password'] as const
type Errors = Partial<Record<(typeof FIELDS)[number] | 'kept', string>>

function Steps({ setup, username, onDone, onCancel }: Props & { setup: WireSetup }) {
  const { t } = useTranslation('factors')
  const banner = useBanner()
  const form = useRef<HTMLFormElement>(null)
  const showSuccess = useSuccessToast()
  const showWarning = useWarningToast()
  const [code, setCode] = useState('')
  const hasPassword = useSelf().data?.provider == null
  const [password, setPassword] = useState('')
  const [isKept, setKept] = useState(false)
  const [errors, setErrors] = useState<Errors>({})
  const confirm = useMutation({
    mutationFn: () => call(confirmAuthenticator, { body: { code, ...(hasPassword && { password }) } }),
    onMutate: banner.clear,
    onSuccess: onDone,
    onError: (error) => {
      showErrors(fieldErrors(error, FIELDS))
      banner.show(error)
    },
  })
  const showErrors = (errors: Errors) => {
    setErrors(errors)
    const [first] = Object.keys(errors)
    if (first) (form.current?.elements.namedItem(first) as HTMLInputElement | null)?.focus()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const missing: Errors = {
      ...(code.length < 6 && { code: t('code-missing') }),
      ...(!isKept && { kept: t('kept-missing') }),
      ...(hasPassword && password === '' && { password: t('password-missing') }),
    }
    if (Object.keys(missing).length > 0) showErrors(missing)
    else confirm.mutate()
  }
  const clear = (field: keyof Errors) => setErrors(({ [field]: _, ...others }) => others)
  const copyKey = () =>
    void copyText(setup.secret).then(
      () => showSuccess(t('key-copied')),
      (error: unknown) => showWarning(t('copy-failed'), error),
    )
  return (
    <form ref={form} className={css.steps} noValidate onSubmit={submit}>
      {banner.message && (
        <div className={css.wide}>
          <ErrorBanner error={banner.message.error} title={t('not-enabled')} dismiss={banner.clear} />
        </div>
      )}
      <Panel>
        <section className={css.section}>
          <StepTitle number={1}>{t('app')}</StepTitle>
          <div className={css.scan}>
            <QrCode text={setup.uri} label={t('qr-code')} />
            <div className={css.key}>
              <p>{t('scan')}</p>
              <code>{setup.secret.match(/.{1,4}/g)?.join(' ')}</code>
              <Button variant="default" size="xs" leftSection={<LinkIcon />} onClick={copyKey}>
                {t('copy-key')}
              </Button>
              <small>{t('parameters')}</small>
            </div>
          </div>
          <CodeField
            label={t('code')}
            hint={t('code-hint')}
            value={code}
            onChange={(code) => {
              setCode(code)
              clear('code')
            }}
            error={errors.code}
          />
        </section>
      </Panel>
      <Panel>
        <section className={css.section}>
          <StepTitle number={2}>{t('recovery-codes')}</StepTitle>
          <p className={css.lead}>{t('recovery-hint')}</p>
          <RecoveryCodes codes={setup.recoveryCodes} username={username} />
          <Checkbox
            name="kept"
            label={t('kept')}
            checked={isKept}
            onChange={({ currentTarget }) => {
              setKept(currentTarget.checked)
              clear('kept')
            }}
            error={errors.kept}
          />
        </section>
      </Panel>
      <div className={css.wide}>
        <Panel>
          <section className={css.section}>
            <StepTitle number={3}>{t('confirmation')}</StepTitle>
            <input type="text" autoComplete="username" value={username} readOnly hidden />
            <div className={css.confirmation}>
              {hasPassword && (
                <PasswordField
                  name="password"
                  label={t('ui:current-password')}
                  autoComplete="current-password"
                  value={password}
                  onChange={({ currentTarget }) => {
                    setPassword(currentTarget.value)
                    clear('password')
                  }}
                  error={errors.password}
                />
              )}
              <Button type="submit" loading={confirm.isPending}>
                {t('enable')}
              </Button>
              {onCancel && (
                <Button variant="default" onClick={onCancel}>
                  {t('ui:cancel')}
                </Button>
              )}
            </div>
          </section>
        </Panel>
      </div>
    </form>
  )
}

const StepTitle = ({ number, children }: { number: number; children: string }) => (
  <h2 className={css.title}>
    <span className={css.number} aria-hidden="true">
      {number}
    </span>
    {children}
  </h2>
)
