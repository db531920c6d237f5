import { Link } from '@tanstack/react-router'
import { Fragment, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useAuditTexts } from '../activity/publicApi.ts'
import { formatDateTime, MISSING, useFormat } from '../core/format.ts'
import { useRight } from '../core/useSelf.ts'
import { LinkButton } from '../ui/LinkButton.tsx'
import { Notice } from '../ui/Notice.tsx'
import { actorKind, actorOf, criteriaOf, locationOf } from './entryParts.ts'
import type { Who } from './query.ts'
import { SearchedPlate } from './SearchedPlate.tsx'
import css from './Trail.module.css'
import type { WireTrailEntry } from './useTrail.ts'

type Props = { entry: WireTrailEntry; onWho: (who: Who) => void }

/** All that is known of one look: who, from where, why, what was asked and shown. */
export function TrailDetails({ entry, onWho }: Props) {
  const { t } = useTranslation('trail')
  const { number } = useFormat()
  const { fieldName, valueText } = useAuditTexts()
  const hasArchive = useRight('ArchiveMeasurements')
  const { at, user, system, role, ip, call, kind, purpose, reference, note, plates, vehicle, visit } = entry
  const { name } = actorOf(entry)
  const rows: [name: string, value: ReactNode][] = [
    [t('at'), formatDateTime(at)],
    ...(visit ? [[t('visit'), visit.endedAt ? `– ${formatDateTime(visit.endedAt)}` : t('visit-open')] as const] : []),
    [t(actorKind(entry) ?? 'who'), name],
    [t('role'), role ?? MISSING],
    [t('ip'), ip ?? MISSING],
    [t('kind'), t(`kind-${kind}`)],
    [t('call'), <code key="call">{call}</code>],
    [t('purpose'), purpose ? t(`purpose-${purpose}`) : MISSING],
    [t('case'), reference ?? MISSING],
    ...(note ? [[t('note'), note] as const] : []),
    [t('plates-asked'), <Plates key="plates" plates={plates} />],
    [t('results'), number(entry.results)],
    [t('plates-shown'), number(entry.shown)],
  ].map(([name, value]) => [name as string, value])
  const who = user ? { userId: user.id } : system ? { systemId: system.id } : null
  return (
    <div className={css.details}>
      <dl className={css.values}>
        {rows.map(([name, value]) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </Fragment>
        ))}
      </dl>
      {!entry.isListed && <Notice kind="quiet">{t('not-listed')}</Notice>}
      {vehicle && hasArchive && (
        <Link
          className={css.link ?? ''}
          to="/vehicleArch/$id/$locationId/$createdAt"
          params={{ id: String(vehicle.id), locationId: String(locationOf(vehicle)), createdAt: vehicle.createdAt }}
        >
          {t('open-vehicle')}
        </Link>
      )}
      <h3 className={css.heading}>{t('criteria')}</h3>
      <dl className={css.values}>
        {criteriaOf(entry).map(([path, values]) => (
          <Fragment key={path}>
            <dt>{fieldName(path, '')}</dt>
            <dd>{values.map((value) => valueText(path, value)).join(', ')}</dd>
          </Fragment>
        ))}
      </dl>
      {who && <LinkButton onClick={() => onWho(who)}>{t('only-these', { name })}</LinkButton>}
    </div>
  )
}

function Plates({ plates }: { plates: string[] | null }) {
  const { t } = useTranslation('trail')
  if (plates === null) return t('unreadable')
  if (plates.length === 0) return MISSING
  return (
    <span className={css.plates}>
      {plates.map((text) => (
        <SearchedPlate key={text} text={text} />
      ))}
    </span>
  )
}
