import { Button } from '@mantine/core'
import { HASH_COMMAND, type SignedSheet, sheetCommands } from '@rogatka/domain/evidence/sheetCommands.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { copyText } from '../core/copyText.ts'
import { useWarningToast } from '../core/useWarningToast.ts'
import css from './Verification.module.css'

type Props = {
  isPackage: boolean
  /** Where the signature is in a PDF; null without one. */
  signature: SignedSheet | null
}

/** How the same is checked without the portal, by public programs. */
export function Commands({ isPackage, signature }: Props) {
  const { t } = useTranslation('evidence')
  const showWarning = useWarningToast()
  const [isCopied, setIsCopied] = useState(false)
  const commands = isPackage
    ? ['unzip package.zip -d package && cd package', HASH_COMMAND, 'less VERIFY.txt']
    : signature
      ? sheetCommands(signature, 'ca.pem')
      : []
  if (commands.length === 0) return null
  const copy = () =>
    void copyText(commands.join('\n')).then(
      () => setIsCopied(true),
      (error) => showWarning(t('copy-failed'), error),
    )
  return (
    <section className={css.panel}>
      <h2>{t('commands')}</h2>
      <p className={css.hint}>{t(isPackage ? 'commands-package' : 'commands-pdf')}</p>
      <pre className={css.commands}>
        <code>{commands.join('\n')}</code>
      </pre>
      <div className={css.action}>
        <Button variant="default" onClick={copy}>
          {t(isCopied ? 'copied' : 'copy')}
        </Button>
      </div>
    </section>
  )
}
