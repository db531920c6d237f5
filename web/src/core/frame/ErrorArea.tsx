import { ErrorBanner } from '../../ui/ErrorBanner.tsx'
import { clearErrors, useShownError } from '../errors.ts'
import { useAutoClear } from '../useBanner.ts'
import css from './PageLayout.module.css'

/** Error message above the page; disappears after 10 s or with the user's next request. */
export function ErrorArea() {
  const shown = useShownError()
  useAutoClear(shown, clearErrors)
  return (
    shown && (
      <div className={css.errors}>
        <ErrorBanner {...shown} dismiss={clearErrors} />
      </div>
    )
  )
}
