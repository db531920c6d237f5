import { useLocation, useNavigate, useRouter } from '@tanstack/react-router'
import { readWantedSearch } from './search.ts'

/**
 * Returns to the first page of the list, where new entries are, and keeps open dialogs. Does nothing if the user has
 * left the list, for example during an upload.
 */
export function useFirstPage(): () => void {
  const router = useRouter()
  const navigate = useNavigate()
  const path = useLocation({ select: ({ pathname }) => pathname })
  return () => {
    if (router.state.location.pathname !== path) return
    void navigate({ to: '.', search: (current) => readWantedSearch({ ...current, page: undefined, plate: undefined }) })
  }
}
