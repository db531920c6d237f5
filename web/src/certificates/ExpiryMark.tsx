import { expiryOf } from '@rogatka/domain/certificates/warnings.ts'
import { useTranslation } from 'react-i18next'
import { serverNow } from '../core/clock.ts'
import { formatDay } from '../core/format.ts'
import { StatusMark } from '../ui/StatusMark.tsx'
import css from './Certificates.module.css'

type Validity = { validFrom: string; validUntil: string; revoked?: { at: string } | null }

/** Until when a scale or lane has a certificate: ▲ red if it ended, ◆ within 90 days. */
export function ExpiryMark({ certificates }: { certificates: readonly Validity[] }) {
  const { t } = useTranslation('certificates')
  const { lastDay, days, warning } = expiryOf(
    certificates.map(({ revoked, ...days }) => ({ ...days, revoked: revoked ? { at: new Date(revoked.at) } : null })),
    new Date(serverNow()),
  )
  if (warning?.level === 'ended')
    return (
      <span className={css.ended}>
        <StatusMark status="malfunction" />
        {t('no-valid')}
      </span>
    )
  if (lastDay === null || days === null) return <span className={css.quiet}>{t('none-yet')}</span>
  const text = days === 0 ? t('ends-today') : t('ends-in', { count: days })
  if (warning)
    return (
      <span className={css.ending}>
        <StatusMark status="attention" />
        {text}
      </span>
    )
  return <span className={css.quiet}>{t('valid-until', { day: formatDay(lastDay) })}</span>
}
