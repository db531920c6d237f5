import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { callLink } from '../core/call.ts'
import { useObjectUrl } from '../core/useObjectUrl.ts'

/**
 * A picture of a sign or of a content as an object URL: undefined while it comes, null when there is none or it could
 * not be had. Another picture has another address, so none is asked for twice; the one before stands until it is here.
 */
export function useSignImage(link: string | null): string | null | undefined {
  const { data: blob, isError } = useQuery({
    queryKey: ['vms', 'image', link],
    queryFn: async ({ signal }) => {
      try {
        return (await callLink(link ?? '', { signal, background: true })).bytes
      } catch (error) {
        if (!signal.aborted) console.warn(`The picture ${link} of a sign could not be loaded.`, error)
        throw error
      }
    },
    enabled: link !== null,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
    retry: false,
  })
  const url = useObjectUrl(link === null ? undefined : blob)
  return link === null || isError ? null : url
}
