import type { Content, WireSign, WireSignGroup } from '@rogatka/contract/vms.ts'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { formatDateTime, formatTime } from '../core/format.ts'
import { useRight } from '../core/useSelf.ts'
import { type Column, DataTable } from '../ui/DataTable.tsx'
import { Spinner } from '../ui/Loading.tsx'
import { StatusMark } from '../ui/StatusMark.tsx'
import { SignImage } from './SignImage.tsx'
import { isDeviating, markOf } from './signs.ts'
import { useContentTexts, useSignTexts, useVariantTexts } from './useSignTexts.ts'
import css from './Vms.module.css'

type Props = { group: WireSignGroup; contents: readonly Content[] | undefined }

/** Table of a group's signs: position, state, content. */
export function SignTable({ group, contents }: Props) {
  const { t } = useTranslation('vms')
  const { statusOf, enabledOf, connectionOf, signName } = useSignTexts()
  const columns: Column<WireSign>[] = [
    {
      key: 'number',
      title: t('number'),
      share: 44,
      right: true,
      onCard: 'hidden',
      sortBy: ({ number }) => number,
      cell: ({ number }) => number,
    },
    {
      key: 'road',
      title: t('road'),
      share: 60,
      head: true,
      sortBy: ({ vms }) => vms.roadNumber,
      cell: (sign) => (
        <>
          <b className={css.road}>{sign.vms.roadNumber}</b>
          <span className={css.onCard}>{signName(sign)}</span>
        </>
      ),
    },
    {
      key: 'chainage',
      title: t('chainage'),
      share: 92,
      right: true,
      onCard: 'hidden',
      sortBy: ({ vms }) => vms.chainage,
      cell: ({ vms }) => vms.chainage,
    },
    { key: 'ip', title: t('ip'), share: 112, cell: ({ vms }) => vms.ip },
    {
      key: 'status',
      title: t('status'),
      share: 150,
      onCard: 'first',
      sortBy: statusOf,
      cell: (sign) => (
        <span className={css.state} title={sign.vmsStatus.status}>
          <StatusMark status={markOf(sign)} />
          <span>
            {statusOf(sign)}
            {isDeviating(sign) && (
              <span className={css.attention}>
                <StatusMark status="attention" />
                {t('not-as-ordered')}
              </span>
            )}
            {sign.vmsStatus.controlMode === 'local' && <small>{t('local-control')}</small>}
            {sign.busy && (
              <small className={css.busy}>
                <Spinner size={12} />
                {t('busy')}
              </small>
            )}
          </span>
        </span>
      ),
    },
    {
      key: 'answers',
      title: t('answers'),
      share: 140,
      cell: (sign) => {
        const { circuit, last } = connectionOf(sign)
        return (
          <span className={css.lines}>
            {circuit}
            <small>{last}</small>
          </span>
        )
      },
    },
    { key: 'enabled', title: t('enabled-column'), share: 84, cell: enabledOf },
    {
      key: 'image',
      title: t('image'),
      share: 168,
      onCard: 'first',
      cell: (sign) => <SignContent sign={sign} contents={contents} />,
    },
    { key: 'variant', title: t('variant'), share: 190, cell: (sign) => <Variant sign={sign} group={group} /> },
  ]
  return (
    <DataTable
      label={t('signs-of', { group: group.group.description })}
      columns={columns}
      rows={group.vms}
      keyOf={({ id }) => id}
    />
  )
}

/** Image of the displayed content, or of the content shown when enabled, with a note. */
function SignContent({ sign, contents }: { sign: WireSign; contents: readonly Content[] | undefined }) {
  const { t } = useTranslation('vms')
  const { textOf } = useContentTexts(contents)
  const { shows, selectedContent, image } = sign
  const isEnabled = shows !== null && shows.kind !== 'blank'
  const content = isEnabled ? shows.content : selectedContent
  const alt =
    (isEnabled ? shows.text?.replaceAll('\n', ' ') : null) ?? (content ? textOf(content.id) : t('other-content'))
  return (
    <span className={css.lines}>
      <SignImage
        link={image}
        alt={isEnabled ? alt : t('would-show', { text: alt })}
        none={t('no-image')}
        faint={!isEnabled}
      />
      {!isEnabled && image !== null && <small>{t(shows === null ? 'shown-unknown' : 'shows-nothing')}</small>}
      {isEnabled && shows.kind === 'other' && <small>{t('other-content')}</small>}
    </span>
  )
}

/** The enabled variant with user and time, or the selected one; and a vehicle shown on the sign. */
function Variant({ sign, group }: { sign: WireSign; group: WireSignGroup }) {
  const { t } = useTranslation('vms')
  const { enabled, selectedContent, plate } = sign
  const { variantName } = useVariantTexts(group)
  const userText = enabled?.by ? ` · ${enabled.by.username}` : ''
  return (
    <span className={css.lines}>
      {enabled ? (
        <>
          {variantName(enabled.variant)}
          <small>{t('enabled-since', { since: formatDateTime(enabled.since) }) + userText}</small>
        </>
      ) : (
        <>
          <span className={css.quiet}>
            {group.selectedVariant === null ? t('no-variant') : variantName(group.selectedVariant)}
          </span>
          <small>{t(selectedContent ? 'not-enabled' : 'no-content')}</small>
        </>
      )}
      {plate && (
        <small className={css.onSign}>
          <VehicleLink id={plate.vehicle.id} locationId={group.group.location.id}>
            {t(plate.allTrucks ? 'trucks-on-sign' : 'plate-on-sign', { until: formatTime(plate.until) })}
          </VehicleLink>
          {` · ${plate.setBy.username}`}
        </small>
      )}
    </span>
  )
}

/** Link to the vehicle, for users with the right. */
function VehicleLink({ id, locationId, children }: { id: number; locationId: number; children: string }) {
  const canOpen = useRight('CurrentMeasurements')
  if (!canOpen) return children
  return (
    <Link
      className={css.link ?? ''}
      to="/vehicle/$id/$locationId"
      params={{ id: String(id), locationId: String(locationId) }}
    >
      {children}
    </Link>
  )
}
