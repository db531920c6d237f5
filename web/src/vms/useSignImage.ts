import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { callLink } from '../core/call.ts'
import { useObjectUrl } from '../core/useObjectUrl.ts'

/**
 * Object URL of the image of a sign or content: undefined while loading, null if unavailable. Every image has its own
 * URL, so none is fetched twice; the previous one stays until the new one is loaded.
 */
export function useSignImage(link: string | null): string | null | undefined {
  const { data: blob, isError } = useQuery({
    queryKey: ['vms', 'image', link],
    queryFn: async ({ signal }) => {
      try {
        return (await callLink(link ?? '', { signal, background: true })).bytes
      } catch (error) {
        if (!signal.aborted) console.warn(`The image ${link} of a sign could not be loaded.`, error)
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
