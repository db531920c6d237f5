import { Button } from '@mantine/core'
import { endOtherSessions, endOwnSession, type ownSession, ownSessions } from '@rogatka/contract/preferences.ts'
import type { WireSelf } from '@rogatka/contract/users-self.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { useUserLog } from '../activity/publicApi.ts'
import { call } from '../core/call.ts'
import { formatDateTime, MISSING } from '../core/format.ts'
import { useListFailure } from '../core/useListFailure.ts'
import { useSuccessToast } from '../core/useSuccessToast.ts'
import { useWarningToast } from '../core/useWarningToast.ts'
import { Badge } from '../ui/Badge.tsx'
import { type Column, DataTable } from '../ui/DataTable.tsx'
import { ErrorBanner } from '../ui/ErrorBanner.tsx'
import { FileIcon, LogoutIcon } from '../ui/icons.tsx'
import { Loading } from '../ui/Loading.tsx'
import { Panel, Section } from '../ui/Panel.tsx'
import { deviceOf } from './device.ts'
import css from './Preferences.module.css'

type OwnSession = z.input<typeof ownSession>

/** The user's sessions, with a button that ends all others. */
export function SessionsSection({ self }: { self: WireSelf }) {
  const { t } = useTranslation('preferences')
  const client = useQueryClient()
  const showSuccess = useSuccessToast()
  const showWarning = useWarningToast()
  const log = useUserLog()
  const { data, error, refetch } = useQuery({
    queryKey: ['sessions'],
    queryFn: ({ signal }) => call(ownSessions, { signal, background: true }),
    staleTime: 0,
  })
  useListFailure(t('sessions-failed'), error, data !== undefined)
  const end = useMutation({
    mutationFn: () => call(endOtherSessions),
    onSuccess: () => showSuccess(t('others-ended')),
    onError: (failure) => showWarning(t('end-others-failed'), failure),
    onSettled: () => client.invalidateQueries({ queryKey: ['sessions'] }),
  })
  const endOne = useMutation({
    mutationFn: (id: number) => call(endOwnSession, { params: { id } }),
    onSuccess: () => showSuccess(t('session-ended')),
    onError: (failure) => showWarning(t('end-session-failed'), failure),
    onSettled: () => client.invalidateQueries({ queryKey: ['sessions'] }),
  })
  const columns = useColumns((id) => endOne.mutate(id), endOne.isPending)
  const hasOthers = data?.some(({ current }) => !current)
  return (
    <div className={css.wide}>
      <Panel>
        <Section title={t('sessions')} hint={data?.length}>
          <div className={css.tools}>
            {hasOthers && (
              <Button
                variant="default"
                leftSection={<LogoutIcon />}
                loading={end.isPending}
                onClick={() => end.mutate()}
              >
                {t('end-others')}
              </Button>
            )}
            {data && !hasOthers && <span className={css.hint}>{t('no-others')}</span>}
            <Button
              variant="subtle"
              color="gray"
              leftSection={<FileIcon />}
              loading={log.isRunning}
              onClick={() => log.fetch(self.id)}
            >
              {t('own-log')}
            </Button>
          </div>
          {error && !data && <ErrorBanner error={error} title={t('sessions-failed')} retry={() => void refetch()} />}
          {!error && !data && <Loading label={t('sessions-loading')} />}
          {data && <DataTable label={t('sessions')} columns={columns} rows={data} keyOf={({ id }) => id} />}
        </Section>
      </Panel>
    </div>
  )
}

function useColumns(end: (id: number) => void, isEnding: boolean): Column<OwnSession>[] {
  const { t } = useTranslation('preferences')
  const throughProvider = (provider: string, factor: OwnSession['factor']) =>
    factor === null ? provider : t('through-provider', { provider, factor: t(`factor-${factor}`) })
  return [
    {
      key: 'device',
      title: t('device'),
      head: true,
      sortBy: ({ userAgent }) => deviceOf(userAgent),
      cell: ({ userAgent, current }) => (
        <>
          {deviceOf(userAgent) ?? t('unknown-device')}
          {current && <Badge own>{t('this-session')}</Badge>}
        </>
      ),
    },
    { key: 'ip', title: t('ip'), sortBy: ({ ip }) => ip, cell: ({ ip }) => ip || MISSING },
    {
      key: 'factor',
      title: t('sign-in-with'),
      sortBy: ({ factor }) => factor,
      cell: ({ factor, provider }) =>
        provider === null ? t(`with-${factor ?? 'password'}`) : throughProvider(provider, factor),
    },
    {
      key: 'createdAt',
      title: t('since'),
      first: 'desc',
      sortBy: ({ createdAt }) => createdAt,
      cell: ({ createdAt }) => formatDateTime(createdAt),
    },
    {
      key: 'lastSeenAt',
      title: t('last-seen'),
      first: 'desc',
      sortBy: ({ lastSeenAt }) => lastSeenAt,
      cell: ({ lastSeenAt }) => formatDateTime(lastSeenAt),
    },
    {
      key: 'end',
      title: t('end-session'),
      plain: true,
      cell: ({ id, userAgent, ip, current }) =>
        !current && (
          <Button
            variant="default"
            size="xs"
            disabled={isEnding}
            aria-label={t('end-session-of', { device: deviceOf(userAgent) ?? t('unknown-device'), ip })}
            onClick={() => end(id)}
          >
            {t('end-session')}
          </Button>
        ),
    },
  ]
}
