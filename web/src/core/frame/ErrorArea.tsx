import { ErrorBanner } from '../../ui/ErrorBanner.tsx'
import { clearErrors, useShownError } from '../errors.ts'
import { useAutoClear } from '../useBanner.ts'
import css from './PageLayout.module.css'

/** The page's message; it goes by itself after 10 s or with the operator's next request. */
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
