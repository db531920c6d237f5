import { useTranslation } from 'react-i18next'
import { expectedStations } from '../locations/publicApi.ts'
import { Loading } from '../ui/Loading.tsx'
import css from './Overview.module.css'
import { MAX_STRIPS } from './orderRows.ts'

/** Stations without a number from an earlier visit. */
const USUAL_COUNT = 6
/** Roads that fill a screen. */
const ROADS = 27

/** Grey shapes where the strips or roads will be. */
export function OverviewSkeleton() {
  const { t } = useTranslation('overview')
  const count = expectedStations() ?? USUAL_COUNT
  const isMany = count > MAX_STRIPS
  return (
    <Loading
      label={t('loading')}
      skeleton={
        // Another set of shapes once the number of stations is known, so that none moves.
        <div key={String(isMany)} className={isMany ? `${css.skeleton} ${css.lines}` : css.skeleton} aria-hidden="true">
          {Array.from({ length: isMany ? ROADS : count }, (_, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: alike
            <i key={at} />
          ))}
        </div>
      }
    />
  )
}
