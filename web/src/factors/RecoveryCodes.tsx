import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { copyText } from '../core/copyText.ts'
import { useSuccessToast } from '../core/useSuccessToast.ts'
import { useWarningToast } from '../core/useWarningToast.ts'
import { FileIcon, LinkIcon } from '../ui/icons.tsx'
import { Notice } from '../ui/Notice.tsx'
import css from './Factors.module.css'

type Props = { codes: readonly string[]; username: string }

/** Recovery codes, with buttons that copy them and save them as a file. */
export function RecoveryCodes({ codes, username }: Props) {
  const { t } = useTranslation('factors')
  const showSuccess = useSuccessToast()
  const showWarning = useWarningToast()
  const text = [t('codes-heading', { username, host: location.host }), '', ...codes, ''].join('\n')
  const copy = () =>
    void copyText(codes.join('\n')).then(
      () => showSuccess(t('codes-copied')),
      (error: unknown) => showWarning(t('copy-failed'), error),
    )
  return (
    <>
      <ul className={css.codes} aria-label={t('recovery-codes')}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className={css.buttons}>
        <Button variant="default" leftSection={<LinkIcon />} onClick={copy}>
          {t('copy')}
        </Button>
        <Button
          component="a"
          variant="default"
          leftSection={<FileIcon />}
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
          download={`rogatka-${username}.txt`}
        >
          {t('save-file')}
        </Button>
      </div>
    </>
  )
}

/** New recovery codes, shown once in a dialog. */
export function NewRecoveryCodes({ codes, username, onClose }: Props & { onClose: () => void }) {
  const { t } = useTranslation('factors')
  return (
    <div className={css.section}>
      <Notice>{t('recovery-hint')}</Notice>
      <RecoveryCodes codes={codes} username={username} />
      <div className={css.buttons}>
        <Button onClick={onClose}>{t('kept')}</Button>
      </div>
    </div>
  )
}
