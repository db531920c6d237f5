import { useEffect } from 'react'
import { showError } from './errors.ts'

type Result = { error: unknown; errorUpdatedAt: number; refetch: () => unknown }

/** Shows above the page that a result could not be loaded, and offers to try again. */
export function useResultFailure({ error, errorUpdatedAt, refetch }: Result, title: string): void {
  // Each failure anew: the message of the one before goes by itself.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the moment tells failures apart that look alike
  useEffect(() => {
    if (error) showError(error, { title, retry: () => void refetch() })
  }, [error, errorUpdatedAt, title, refetch])
}
