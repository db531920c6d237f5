import { useMutation } from '@tanstack/react-query'
import { hasCode } from './failure.ts'
import type { useBanner } from './useBanner.ts'
import { useRebase } from './useRebase.ts'

type Rebase<T, V extends Record<string, unknown>> = Parameters<typeof useRebase<T, V>>

type Options<T, V extends Record<string, unknown>> = Pick<
  Rebase<T, V>[2],
  'valuesOf' | 'fetch' | 'storedText' | 'isOlder'
> & {
  banner: ReturnType<typeof useBanner>
  send: (version: number) => Promise<unknown>
  onSaved: () => Promise<void>
  /** Errors other than an edit conflict. */
  onRejected: (error: unknown) => void
}

/** Saves an edited record with optimistic locking: never overwrites a newer version. */
export function useEdit<T extends { version: number }, V extends Record<string, unknown>>(
  record: T,
  form: Rebase<T, V>[1],
  { banner, send, onSaved, onRejected, ...rebase }: Options<T, V>,
) {
  const { base, stored, load } = useRebase<T, V>(record, form, {
    ...rebase,
    onLoaded: () => save.reset(),
    onFailure: banner.show,
  })
  const save = useMutation({
    onMutate: banner.clear,
    mutationFn: () => send(base.current.version),
    onSuccess: onSaved,
    onError: (error) => {
      if (!hasCode(error, 'changed-meanwhile')) onRejected(error)
    },
  })
  return {
    base,
    stored,
    save,
    /** For `EditNotices`. */
    notices: { isConflict: hasCode(save.error, 'changed-meanwhile'), load, stored, banner },
  }
}
