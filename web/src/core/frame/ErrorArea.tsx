import { ErrorBanner } from '../../ui/ErrorBanner.tsx'
import { clearErrors, useErrorMessage } from '../errors.ts'
import { useAutoClear } from '../useBanner.ts'
import css from './PageLayout.module.css'

/** Error message above the page; disappears after 10 s or with the user's next request. */
export function ErrorArea() {
  const message = useErrorMessage()
  useAutoClear(message, clearErrors)
  return (
    message && (
      <div className={css.errors}>
        <ErrorBanner {...message} dismiss={clearErrors} />
      </div>
    )
  )
}
