import type { WireOf } from '@rogatka/contract/endpoint.ts'
import { detail, list, mappings } from '@rogatka/contract/imports.ts'
import { type QueryClient, useQuery } from '@tanstack/react-query'
import { call } from '../core/call.ts'

export type Import = WireOf<typeof detail, 'response'>
export type ImportEntry = WireOf<typeof list, 'response'>['content'][number]
export type Options = Import['options']
export type Trial = NonNullable<Import['trial']>

/** How often the progress of a trial or run is read. */
const POLL_MS = 1_000
/** Earlier imports that the page shows. */
const LIST_SIZE = 20

const isAtWork = (one: Import | undefined) => one?.state === 'checking' || one?.state === 'running'

/** An import, read again while the server works on it. */
export const useImport = (id: number) =>
  useQuery({
    queryKey: ['imports', 'one', id],
    queryFn: ({ signal }) => call(detail, { params: { id }, signal, background: true }),
    staleTime: 0,
    refetchInterval: ({ state }) => (isAtWork(state.data) ? POLL_MS : false),
  })

/** The latest imports. */
export const useImportList = () =>
  useQuery({
    queryKey: ['imports', 'list'],
    queryFn: ({ signal }) => call(list, { query: { limit: LIST_SIZE }, signal, background: true }),
    staleTime: 0,
  })

export const useMappings = () =>
  useQuery({
    queryKey: ['imports', 'mappings'],
    queryFn: ({ signal }) => call(mappings, { signal, background: true }),
    staleTime: 0,
  })

/** Shows the response of a change at once. */
export function showImport(client: QueryClient, changed: Import): void {
  client.setQueryData(['imports', 'one', changed.id], changed)
  void client.invalidateQueries({ queryKey: ['imports', 'list'] })
}

export const invalidateMappings = (client: QueryClient): Promise<void> =>
  client.invalidateQueries({ queryKey: ['imports', 'mappings'] })
