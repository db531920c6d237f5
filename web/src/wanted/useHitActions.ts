import type { WireHitDetail } from '@rogatka/contract/wanted.ts'
import {
  closeHit,
  type HitReason,
  hit as hitEndpoint,
  openHitSheet,
  reopenHit,
  takeHit,
} from '@rogatka/contract/wanted.ts'
import type { WireOpenHit } from '@rogatka/contract/wanted-hits.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { currentSound } from '../core/sound.ts'
import { playTones } from '../core/tones.ts'
import { updateHit } from './openHits.ts'

type HitRef = Pick<WireOpenHit, 'id' | 'createdAt'>

type Action = { kind: 'take'; from?: number } | { kind: 'close'; reason: HitReason | null } | { kind: 'reopen' }

/** Low and long, unlike alarm and arrivals. */
const FAILURE = [{ hertz: 220, seconds: 0.5 }]
/** Of requests, so that a failure is shown soon. */
const TIMEOUT_MS = 8_000

const keyOf = ({ id, createdAt }: HitRef) => ({ params: { id }, query: { createdAt } })

/** A hit with its course; refetched while it is shown, as others act on it. */
export const hitQuery = (hit: HitRef) =>
  queryOptions({
    queryKey: ['hit', hit.id, hit.createdAt],
    queryFn: ({ signal }) => call(hitEndpoint, { ...keyOf(hit), signal, background: true }),
    refetchInterval: 10_000,
    staleTime: 0,
  })

/** Records for other users that the user has opened a hit. Nothing depends on it, so a failure is not shown. */
export function useRecordOpened(hit: HitRef): void {
  const client = useQueryClient()
  useEffect(() => {
    const { queryKey } = hitQuery(hit)
    call(openHitSheet, { ...keyOf(hit), background: true })
      .then(async (detail) => {
        // A running request would overwrite it with older data.
        await client.cancelQueries({ queryKey })
        client.setQueryData(queryKey, detail)
      })
      .catch(() => {})
  }, [client, hit])
}

/** Sends what the user does about a hit. A failure sounds, as nobody else may attend to the vehicle. */
export function useHitActions(hit: HitRef) {
  const { t } = useTranslation('wanted')
  const client = useQueryClient()
  const { queryKey } = hitQuery(hit)
  const failureOf = { take: t('take-failed'), close: t('close-failed'), reopen: t('reopen-failed') }
  const { mutate, error, variables, isPending, reset } = useMutation({
    mutationFn: (action: Action): Promise<WireHitDetail> => {
      const options = { ...keyOf(hit), background: true, signal: AbortSignal.timeout(TIMEOUT_MS) }
      if (action.kind === 'take') return call(takeHit, { ...options, body: { from: action.from ?? null } })
      if (action.kind === 'close') return call(closeHit, { ...options, body: { reason: action.reason } })
      return call(reopenHit, options)
    },
    retry: false,
    onSuccess: async (detail) => {
      await client.cancelQueries({ queryKey })
      client.setQueryData(queryKey, detail)
      updateHit(detail)
    },
    onError: () => {
      if (currentSound().alarm) playTones(FAILURE)
      void client.invalidateQueries({ queryKey })
    },
  })
  return {
    take: (from?: number) => mutate({ kind: 'take', ...(from !== undefined && { from }) }),
    close: (reason: HitReason | null) => mutate({ kind: 'close', reason }),
    reopen: () => mutate({ kind: 'reopen' }),
    isPending,
    dismissError: reset,
    /** What failed, and why; null: nothing. */
    failure: error && variables ? { title: `${failureOf[variables.kind]}.`, error } : null,
  }
}
