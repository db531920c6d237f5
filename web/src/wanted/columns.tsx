import { VisuallyHidden } from '@mantine/core'
import type { WireWantedContact, WireWantedPlate } from '@rogatka/contract/wanted.ts'
import { expiringUntil } from '@rogatka/domain/wanted/entry.ts'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { serverNow } from '../core/clock.ts'
import { formatDateTime, formatMinute, useFormat } from '../core/format.ts'
import { useRight } from '../core/useSelf.ts'
import { Badge } from '../ui/Badge.tsx'
import type { Column } from '../ui/DataTable.tsx'
import { LinkButton } from '../ui/LinkButton.tsx'
import { StatusMark } from '../ui/StatusMark.tsx'
import { Plate } from '../ui/vehicle/Plate.tsx'
import css from './Wanted.module.css'

type PlateOptions = {
  withOwner: boolean
  onHits: (plate: WireWantedPlate) => void
  actions: (plate: WireWantedPlate) => ReactNode
  /** A button below the expiry. */
  extend: (plate: WireWantedPlate) => ReactNode
}

/** Columns of the plate table. */
export function usePlateColumns({ withOwner, onHits, actions, extend }: PlateOptions): Column<WireWantedPlate>[] {
  const { t } = useTranslation('wanted')
  const { number } = useFormat()
  const owner: Column<WireWantedPlate> = { key: 'user', title: t('owner'), cell: ({ user }) => user.username }
  return [
    {
      key: 'plateLpr',
      title: t('plate'),
      head: true,
      cell: ({ plateLpr, nationality, allowMisread, notified }) => (
        <>
          <Plate plate={plateLpr} nationality={nationality} size="s" unreadable={plateLpr} />
          {allowMisread && <Badge>{t('misread-short')}</Badge>}
          {!notified && <span className={css.warning}>{t('not-notified')}</span>}
        </>
      ),
    },
    { key: 'description', title: t('ui:description'), wide: true, cell: ({ description }) => description },
    ...(withOwner ? [owner] : []),
    { key: 'createdAt', title: t('added-at'), first: 'desc', cell: ({ createdAt }) => formatDateTime(createdAt) },
    {
      key: 'expiresAt',
      title: t('expires'),
      cell: (plate) => (
        <div className={css.expiry}>
          <span>
            <Expiry at={plate.expiresAt} />
          </span>
          {extend(plate)}
        </div>
      ),
    },
    {
      key: 'hits',
      title: t('hits'),
      right: true,
      first: 'desc',
      cell: (plate) => (
        <LinkButton onClick={() => onHits(plate)}>
          <span aria-hidden="true">{number(plate.hits)}</span>
          <VisuallyHidden>{t('show-hits', { count: plate.hits, plate: plate.plateLpr })}</VisuallyHidden>
        </LinkButton>
      ),
    },
    { key: 'actions', title: t('ui:change'), plain: true, cell: actions },
  ]
}

export const isExpired = ({ expiresAt }: Pick<WireWantedPlate, 'expiresAt'>): boolean =>
  expiresAt !== null && Date.parse(expiresAt) <= serverNow()

/** Whether an entry has expired, or will within seven days. */
export const isExpiring = ({ expiresAt }: Pick<WireWantedPlate, 'expiresAt'>): boolean =>
  expiresAt !== null && Date.parse(expiresAt) <= expiringUntil(new Date(serverNow())).getTime()

function Expiry({ at }: { at: string | null }) {
  const { t } = useTranslation('wanted')
  if (at === null) return t('no-expiry')
  const entry = { expiresAt: at }
  return (
    <>
      {isExpiring(entry) && !isExpired(entry) && <StatusMark status="attention" label={t('expires-soon')} />}{' '}
      {formatMinute(at)}
      {isExpired(entry) && <Badge>{t('expired')}</Badge>}
    </>
  )
}

/** Longer deliveries are not shown in seconds. */
const MAX_SECONDS = 600

/** Delivery state of the latest message to a contact. */
export function LastMessage({ message }: { message: WireWantedContact['lastMessage'] }) {
  const { t } = useTranslation('wanted')
  if (!message) return t('no-message')
  const { fate, attempts, isTest, sentAt, createdAt } = message
  const seconds = sentAt === null ? null : Math.max(0, Math.round((Date.parse(sentAt) - Date.parse(createdAt)) / 1_000))
  // One that waited for the end of quiet hours was not slow.
  const isQuick = fate === 'sent' && seconds !== null && seconds <= MAX_SECONDS
  const fateText = isQuick ? t('sent-after', { seconds }) : t(`fate-${fate}`, { attempts })
  const isProblem = fate === 'retrying' || fate === 'failed' || fate === 'unavailable'
  return (
    <>
      {formatDateTime(sentAt ?? createdAt)}
      {isTest && <Badge>{t('test-message')}</Badge>}
      {isProblem ? <span className={css.warning}>{fateText}</span> : <Badge>{fateText}</Badge>}
    </>
  )
}

/** Columns of the contact table. */
export function useContactColumns(actions: (contact: WireWantedContact) => ReactNode): Column<WireWantedContact>[] {
  const { t } = useTranslation('wanted')
  const withOwner = useRight('UserManagement')
  const owner: Column<WireWantedContact> = { key: 'user', title: t('owner'), cell: ({ user }) => user.username }
  return [
    { key: 'contact', title: t('contact'), head: true, cell: ({ contact }) => contact },
    { key: 'type', title: t('type'), cell: ({ typeOfContact }) => t(`type-${typeOfContact}`) },
    { key: 'description', title: t('ui:description'), wide: true, cell: ({ description }) => description },
    {
      key: 'quiet',
      title: t('quiet-hours'),
      cell: ({ quietHours }) => (quietHours ? `${quietHours.from}–${quietHours.to}` : t('no-quiet-hours')),
    },
    ...(withOwner ? [owner] : []),
    { key: 'last', title: t('last-message'), cell: ({ lastMessage }) => <LastMessage message={lastMessage} /> },
    { key: 'actions', title: t('ui:change'), plain: true, cell: actions },
  ]
}
