import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDateTime } from '../core/format.ts'
import { FactList } from '../ui/FactList.tsx'
import { CheckIcon } from '../ui/icons.tsx'
import { StatusMark } from '../ui/StatusMark.tsx'
import { StampButton } from './StampButton.tsx'
import css from './Verification.module.css'
import type { Verification, VerifiedFile } from './verification.ts'

type VerificationStatus = 'differs' | 'unsigned' | 'untrusted' | 'holds'

/** Whether the only thing wrong is that there is no signature. */
const isUnsigned = ({ differences }: Verification) => differences.length === 1 && differences[0] === 'no-signature'

function statusOf(result: Verification): VerificationStatus {
  const { differences, certificate } = result
  const isChanged = (differences.length > 0 && !isUnsigned(result)) || (result.package?.differences.length ?? 0) > 0
  if (isChanged) return 'differs'
  if (!certificate) return 'unsigned'
  return certificate.isTrusted ? 'holds' : 'untrusted'
}

/** What was found: the status, where the file differs, who signed it and when. */
export function Result({ file, result }: { file: VerifiedFile; result: Verification }) {
  const { t } = useTranslation('evidence')
  const status = statusOf(result)
  const heading = useRef<HTMLHeadingElement>(null)
  // A keyboard continues at the result.
  useEffect(() => heading.current?.focus(), [])
  return (
    <section className={css.panel} aria-labelledby="verdict">
      <div className={css.verdict} data-verdict={status} role={status === 'differs' ? 'alert' : 'status'}>
        {status === 'holds' ? (
          <CheckIcon />
        ) : (
          <StatusMark status={status === 'differs' ? 'malfunction' : 'attention'} />
        )}
        <div>
          <h2 id="verdict" ref={heading} tabIndex={-1}>
            {t(result.package ? `package-${status}` : `pdf-${status}`)}
          </h2>
          <p>{file.name}</p>
        </div>
      </div>
      <Differences result={result} />
      <Facts result={result} />
      <StampButton file={file} result={result} />
    </section>
  )
}

function Differences({ result }: { result: Verification }) {
  const { t } = useTranslation('evidence')
  const { differences, package: files } = result
  const sheet = isUnsigned(result) ? [] : differences
  const rows = [
    ...sheet.map((place) => ({ name: files ? 'sheet.pdf' : null, text: t(`place-${place}`) })),
    ...(files?.differences ?? []).map(({ name, fault }) => ({ name, text: t(`fault-${fault}`) })),
  ]
  if (rows.length === 0) return null
  return (
    <>
      <h3>{t('differences')}</h3>
      <ul className={css.differences}>
        {rows.map(({ name, text }) => (
          <li key={`${name} ${text}`}>
            {name && <b>{name}</b>} {text}
          </li>
        ))}
      </ul>
    </>
  )
}

function Facts({ result }: { result: Verification }) {
  const { t } = useTranslation('evidence')
  const { certificate, package: files } = result
  const stampText = ({ stamp, stampedAt }: Pick<Verification, 'stamp' | 'stampedAt'>) =>
    stamp === 'valid' ? formatDateTime(stampedAt) : t(`stamp-${stamp}`)
  const validity = certificate && `${formatDateTime(certificate.validFrom)} – ${formatDateTime(certificate.validUntil)}`
  const facts: [name: string, value: string][] = [
    ...(certificate
      ? ([
          [t('signer'), certificate.subject],
          [t('issuer'), certificate.issuer],
          [t('serial-number'), certificate.serialNumber],
          [t('valid'), validity ?? ''],
          [t('signature-stamp'), stampText(result)],
        ] satisfies [string, string][])
      : [[t('signer'), t('unsigned')] satisfies [string, string]]),
    ...(files
      ? ([
          [t('files'), String(files.files)],
          [t('list-stamp'), stampText(files)],
          [t('seal'), files.seal ? t('seal-value', { ...files.seal }) : t('none')],
          ...(files.notSealed.length > 0 ? [[t('not-sealed'), files.notSealed.join(', ')]] : []),
          [t('anchor'), files.anchor === null ? t('none') : String(files.anchor)],
          [t('audit-entries'), String(files.auditEntries)],
        ] as [string, string][])
      : []),
  ]
  return <FactList className={css.facts} facts={facts} />
}
