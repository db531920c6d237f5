import type { ReactNode } from 'react'
import { ErrorBanner } from '../../ui/ErrorBanner.tsx'
import { Loading } from '../../ui/Loading.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { useListFailure } from '../useListFailure.ts'

type Props<R> = {
  list: { data: readonly R[] | undefined; error: unknown; refetch: () => unknown }
  texts: { loading: string; failed: string; none: string }
  /** The list, unless it is empty. */
  children: (rows: readonly R[]) => ReactNode
}

/** A list that is loaded as a whole; while there is none, the progress or the failure of loading it. */
export function WholeList<R>({ list: { data, error, refetch }, texts: { loading, failed, none }, children }: Props<R>) {
  useListFailure(failed, error, data !== undefined)
  if (!data && error) return <ErrorBanner error={error} title={failed} retry={() => void refetch()} />
  if (!data) return <Loading label={loading} />
  return data.length === 0 ? <Notice kind="quiet">{none}</Notice> : children(data)
}
