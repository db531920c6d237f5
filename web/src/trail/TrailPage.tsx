import { trailReport, trailReportTypes } from '@rogatka/contract/trail.ts'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { serverNow } from '../core/clock.ts'
import { PageLayout } from '../core/frame/PageLayout.tsx'
import { ReportMenu } from '../core/frame/ReportMenu.tsx'
import { useRight } from '../core/useSelf.ts'
import { lastDays } from '../ui/dateRange.ts'
import { ListTitle } from '../ui/ListTitle.tsx'
import { useAllUsers } from '../users/publicApi.ts'
import { IntegrityFault } from './IntegrityPanel.tsx'
import { filtersOf, queryOf } from './query.ts'
import { readTrailSearch, type TrailSearch } from './search.ts'
import css from './Trail.module.css'
import { type Names, TrailFilters } from './TrailFilters.tsx'
import { TrailSummary } from './TrailSummary.tsx'
import { TrailTable } from './TrailTable.tsx'
import { useIntegrity } from './useIntegrity.ts'
import { type Summary, useTrail, useTrailSummary, type WireTrailEntry } from './useTrail.ts'

/** Who looked at vehicles, when, from where and why. */
export function TrailPage() {
  const { t } = useTranslation('trail')
  const { page = 1, ...search } = readTrailSearch(useSearch({ strict: false }))
  const navigate = useNavigate()
  // Default range: the last day before the page was opened.
  const [lastDay] = useState(() => lastDays(1, serverNow()))
  const query = queryOf(search, lastDay)
  const result = useTrail(query, page)
  const summary = useTrailSummary(query)
  const integrity = useIntegrity()
  const names = useNames(result.data?.content ?? [], summary.data)
  const navigateTo = (next: TrailSearch) => void navigate({ to: '/access-trail', search: next })
  const { data } = result
  return (
    <PageLayout
      title={<ListTitle>{t('core:nav-trail')}</ListTitle>}
      actions={
        <ReportMenu
          group="trail"
          types={trailReportTypes}
          nameOf={(type) => type.toUpperCase()}
          failure={t('ui:file-failed')}
          requestLink={(reportType, signal) =>
            call(trailReport, { query: { ...filtersOf(query), reportType }, signal })
          }
          sizeOf={() => (data ? { rows: data.totalCount } : null)}
        />
      }
    >
      {integrity.data && <IntegrityFault check={integrity.data.check} />}
      <div className={css.page}>
        <div>
          <TrailFilters query={query} names={names} onApply={navigateTo} />
          <TrailTable
            result={result}
            summary={summary.data}
            page={page}
            onPage={(next) => navigateTo({ ...search, page: next === 1 ? undefined : next })}
            onWho={(who) => navigateTo({ ...search, userId: undefined, systemId: undefined, ...who })}
          />
        </div>
        <TrailSummary
          query={query}
          result={summary}
          integrity={integrity}
          onOpen={(changes) => navigateTo({ ...search, systemId: undefined, ...changes })}
        />
      </div>
    </PageLayout>
  )
}

/** Persons and systems to filter by: all users, as far as the reader may list them, and those who are shown. */
function useNames(content: readonly WireTrailEntry[], summary: Summary | undefined): Names {
  const { data } = useAllUsers(useRight('UserManagement'))
  const { manyPlates = [], outsideShift = [], withoutPurpose = [] } = summary ?? {}
  const pointedOut = [...manyPlates, ...outsideShift, ...withoutPurpose]
  const shown = [...content, ...pointedOut].map(({ user }) => user)
  const users = [
    ...shown.flatMap((user) => (user ? [[user.id, user.name] as const] : [])),
    ...(data?.content.map(({ id, username }) => [id, username] as const) ?? []),
  ]
  const systems = content.flatMap(({ system }) => (system ? [[system.id, system.name] as const] : []))
  return { users: new Map(users.toSorted(([, a], [, b]) => a.localeCompare(b))), systems: new Map(systems) }
}
