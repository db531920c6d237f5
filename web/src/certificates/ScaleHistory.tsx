import { useTranslation } from 'react-i18next'
import { formatDate, formatDay } from '../core/format.ts'
import css from './Certificates.module.css'
import { formatValidity } from './formatValidity.ts'
import type { WireScale } from './useCertificates.ts'

type Certificate = WireScale['certificates'][number]

/** When a certificate was entered, if that was after its first day. */
function EnteredLate({ isEnteredLate, enteredAt }: Pick<Certificate, 'isEnteredLate' | 'enteredAt'>) {
  const { t } = useTranslation('certificates')
  if (!isEnteredLate) return null
  return <span className={css.late}>{t('entered-late', { day: formatDate(enteredAt) })}</span>
}

/** The number of the certificate that holds, and from when which one is next. */
export function ScaleCertificate({ certificate, validFrom, next, certificates }: WireScale) {
  const { t } = useTranslation('certificates')
  const held = certificates.find((one) => one.certificate === certificate && one.validFrom === validFrom)
  return (
    <div className={css.certificate}>
      {certificate}
      {held && <EnteredLate {...held} />}
      {next && (
        <span className={css.quiet}>
          {t('next-certificate', { number: next.certificate, day: formatDay(next.validFrom) })}
        </span>
      )}
    </div>
  )
}

/** All certificates of a scale, that which was entered last first. */
export function ScaleHistory({ scale: { certificates } }: { scale: WireScale }) {
  const { t } = useTranslation('certificates')
  if (certificates.length < 2) return null
  return (
    <section className={css.history}>
      <h3>{t('history')}</h3>
      <ul>
        {certificates.map((one) => (
          <li key={`${one.certificate} ${one.validFrom}`}>
            {one.certificate} · {one.authority} · {formatValidity(one)} <EnteredLate {...one} />
          </li>
        ))}
      </ul>
    </section>
  )
}
