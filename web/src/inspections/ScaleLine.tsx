import { Menu, VisuallyHidden } from '@mantine/core'
import { isValidAt } from '@rogatka/domain/certificates/validity.ts'
import { expiryOf } from '@rogatka/domain/certificates/warnings.ts'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { serverNow } from '../core/clock.ts'
import { formatDate } from '../core/format.ts'
import { DownIcon, ScaleIcon } from '../ui/icons.tsx'
import { StatusMark } from '../ui/StatusMark.tsx'
import { validFirst } from './scaleChoice.ts'
import type { InspectionWork } from './useInspectionWork.ts'
import css from './Weighing.module.css'

type Scale = NonNullable<InspectionWork['scale']>

/** Whether certificates end within 90 days, and none follows. */
const endsSoon = (scale: Scale, now: Date): boolean =>
  expiryOf([scale, ...(scale.next ? [scale.next] : [])], now).warning !== null

/** The scale, with its certificate; a menu if there are several. */
export function ScaleLine({ work: { scale, scales, setScale } }: { work: InspectionWork }) {
  const { t } = useTranslation('inspections')
  const now = new Date(serverNow())
  const isInvalid = scale !== undefined && !isValidAt(scale, now)
  const next = scale?.next
  const isEnding = scale !== undefined && !isInvalid && expiryOf([scale], now).warning !== null
  const dayText = (day: string) => formatDate(`${day}T12:00:00Z`)
  return (
    <>
      {/* The keys of the weighing must not act on this button afterwards. */}
      <Menu position="bottom" width="target" returnFocus={false}>
        <Menu.Target>
          <button type="button" className={css.scale} disabled={!scales}>
            <ScaleIcon />
            {scale ? (
              <span className={css.scaleTexts}>
                <b>{scale.name}</b>
                <span>
                  {isEnding && endsSoon(scale, now) && <StatusMark status="attention" />}
                  {t('valid-until', { date: dayText(scale.validUntil) })}
                  {isEnding && next && ` · ${t('next-from', { date: dayText(next.validFrom) })}`}
                </span>
              </span>
            ) : (
              <b>{t(scales ? (scales.length === 0 ? 'no-scales' : 'choose-scale') : 'scale')}</b>
            )}
            <VisuallyHidden>{t('change-scale')}</VisuallyHidden>
            <DownIcon />
          </button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{t('scale')}</Menu.Label>
          {validFirst(scales ?? [], now).map((it) => (
            <Menu.Item key={it.id} onClick={() => setScale(it.id)}>
              {isValidAt(it, now) && endsSoon(it, now) && (
                <span className={css.ending}>
                  <StatusMark status="attention" label={t('effectiveness-ends')} />
                </span>
              )}
              {it.name} · {it.certificate}
              {isValidAt(it, now) ? ` · ${t('valid-until', { date: dayText(it.validUntil) })}` : ` · ${t('not-valid')}`}
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item component={Link} to="/scale-certificates">
            {t('core:nav-certificates')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isInvalid && (
        <p className={css.invalidScale} role="alert">
          {t('scale-invalid')} {next && t('next-valid-from', { date: dayText(next.validFrom) })}
        </p>
      )}
    </>
  )
}
