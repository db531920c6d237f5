import { Button } from '@mantine/core'
import { MINUTE_MS } from '@rogatka/domain/core/time.ts'
import { Link, useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { formatDateTime, formatMinute, useFormat } from '../core/format.ts'
import { useRight } from '../core/useSelf.ts'
import { CheckIcon, ListIcon } from '../ui/icons.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Figures } from './Figures.tsx'
import css from './Imports.module.css'
import { RefusedButton } from './RefusedButton.tsx'
import type { Import } from './useImports.ts'

/** Fourth step: what was imported. */
export function DoneStep({ entry }: { entry: Import }) {
  const { t } = useTranslation('imports')
  const { number } = useFormat()
  const { fileName, sha256, state, trial, written, figures, duplicates, refused, startedAt, finishedAt, createdBy } =
    entry
  const seconds = startedAt && finishedAt ? (Date.parse(finishedAt) - Date.parse(startedAt)) / 1000 : 0
  const isAsTried = trial?.new === written && trial.refused === refused
  const facts: [string, string][] = [
    [t('file'), `${fileName}, SHA-256 ${sha256.slice(0, 8)}…${sha256.slice(-8)}`],
    ...(trial?.first && trial.last
      ? ([[t('range'), `${formatMinute(trial.first)} – ${formatMinute(trial.last)}`]] as [string, string][])
      : []),
    ...(written > figures ? ([[t('source'), t('source-of', { number: entry.id })]] as [string, string][]) : []),
    [t('accuracy'), t(`accuracy-${entry.options.accuracy}`)],
    [t('by'), `${createdBy ?? t('by-command')}, ${formatDateTime(startedAt ?? entry.createdAt)}`],
  ]
  return (
    <div className={css.middle}>
      <section className={`${css.panel} ${css.card}`}>
        {state === 'cancelled' ? (
          <Notice>{t(startedAt ? 'cancelled-run' : 'cancelled')}</Notice>
        ) : (
          <p className={css.verdict} role="status">
            <CheckIcon size={18} />
            <span>
              <b>{t('imported', { count: written, number: number(written) })}</b>{' '}
              {t(isAsTried ? 'as-tried' : 'in-time', { seconds: number(Math.max(1, Math.round(seconds))) })}
            </span>
          </p>
        )}
        {startedAt && (
          <Figures
            label={t('step-done')}
            figures={[
              {
                name: t('written'),
                value: number(written),
                note: figures > 0 && t('of-them-figures', { number: number(figures) }),
              },
              { name: t('duplicates'), value: number(duplicates) },
              { name: t('refused'), value: number(refused) },
              { name: t('sum'), value: number(written + duplicates + refused) },
            ]}
          />
        )}
        <dl className={css.facts}>
          {facts.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        <div className={css.buttons}>
          <ArchiveButton entry={entry} />
          {entry.hasRefusedFile && <RefusedButton entry={entry} count={trial?.refused ?? refused} />}
        </div>
      </section>
    </div>
  )
}

/** Opens the archive with stations and time range of the import. */
function ArchiveButton({ entry: { trial, written, figures } }: { entry: Import }) {
  const { t } = useTranslation('imports')
  const canSearch = useRight('ArchiveMeasurements')
  const { first, last } = trial ?? {}
  if (!canSearch || written === figures || !first || !last) return null
  const locations = [
    ...new Set(trial?.lanes.flatMap(({ locationId, new: count }) => (locationId && count ? [locationId] : []))),
  ]
  const minute = (at: string, ahead: number) =>
    new Date((Math.floor(Date.parse(at) / MINUTE_MS) + ahead) * MINUTE_MS).toISOString()
  return (
    <Button
      leftSection={<ListIcon size={16} />}
      renderRoot={(props) => (
        <Link
          {...props}
          to="/archival"
          search={{ step: 4, locations, dateTimeStart: minute(first, 0), dateTimeEnd: minute(last, 1) }}
        />
      )}
    >
      {t('show-in-archive')}
    </Button>
  )
}

export function DoneActions() {
  const { t } = useTranslation('imports')
  const navigate = useNavigate()
  return (
    <Button variant="default" onClick={() => void navigate({ to: '/imports', search: {} })}>
      {t('next-file')}
    </Button>
  )
}
