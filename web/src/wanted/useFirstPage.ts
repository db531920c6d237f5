import { useLocation, useNavigate, useRouter } from '@tanstack/react-router'
import { readWantedSearch } from './search.ts'

/**
 * Goes to the first page of the list, where new entries are shown, and keeps an open dialog open. Does nothing after the
 * user has left the list, such as while a file is sent.
 */
export function useFirstPage(): () => void {
  const router = useRouter()
  const navigate = useNavigate()
  const path = useLocation({ select: ({ pathname }) => pathname })
  return () => {
    if (router.state.location.pathname !== path) return
    void navigate({ to: '.', search: (now) => readWantedSearch({ ...now, page: undefined }) })
  }
}
