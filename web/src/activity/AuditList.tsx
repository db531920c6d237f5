import type { WireAuditEntry } from '@rogatka/contract/activity.ts'
import { useTranslation } from 'react-i18next'
import { formatDateTime, MISSING } from '../core/format.ts'
import type { Column } from '../ui/DataTable.tsx'
import css from './Activity.module.css'
import { Changes } from './Changes.tsx'
import { difference } from './difference.ts'
import { type ByTime, PagedList } from './PagedList.tsx'
import { type ActivityQuery, useAudit } from './useActivity.ts'
import { useAuditTexts } from './useAuditTexts.ts'

type Props = ByTime & { query: ActivityQuery }

/** Audit log: time, user, IP address, action, changes. */
export function AuditList({ query, ...byTime }: Props) {
  const { t } = useTranslation('activity')
  return (
    <PagedList
      label={t('tab-audit')}
      result={useAudit(query, { page: byTime.page, orderDirection: byTime.direction })}
      columns={useColumns()}
      {...byTime}
      level={{ column: 'at', direction: byTime.direction }}
      nothing={t('no-audit')}
    />
  )
}

function useColumns(): Column<WireAuditEntry>[] {
  const { t } = useTranslation('activity')
  const { actionName, subjectName } = useAuditTexts()
  return [
    { key: 'at', first: 'desc', title: t('at'), cell: ({ at }) => formatDateTime(at) },
    { key: 'user', title: t('user'), head: true, cell: ({ user }) => user?.username ?? MISSING },
    { key: 'ip', title: t('ip'), cell: ({ ip }) => ip ?? MISSING },
    {
      key: 'action',
      title: t('action'),
      cell: ({ action, subject }) => (
        <span className={css.action}>
          {actionName(action)}
          <small>{subjectName(action, subject)}</small>
        </span>
      ),
    },
    {
      key: 'changes',
      title: t('changes'),
      wide: true,
      cell: ({ action, before, after }) => <Changes action={action} changes={difference(before, after)} />,
    },
  ]
}
