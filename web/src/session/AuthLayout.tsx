import { languages } from '@rogatka/contract/languages.ts'
import { type ComponentType, lazy, type ReactNode, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { firstPaint } from '../core/firstPaint.ts'
import { useFormat } from '../core/format.ts'
import { Footer } from '../core/frame/Footer.tsx'
import { LANGUAGE_NAMES } from '../core/frame/languageNames.ts'
import { SourceLink } from '../core/frame/SourceLink.tsx'
import { chooseLanguage, useLanguage } from '../core/language.ts'
import type { Build } from '../core/useBuild.ts'
import { SegmentedControl } from '../ui/SegmentedControl.tsx'
import css from './AuthLayout.module.css'

/** Loaded after the first paint, as it only decorates: without it the page works. */
const Silhouette = lazy(() =>
  firstPaint
    .then(() => import('../ui/vehicle/Silhouette.tsx'))
    .then(
      ({ Silhouette }) => ({ default: Silhouette as ComponentType<{ category: number; height: number }> }),
      () => ({ default: () => null }),
    ),
)

/** Wheel positions of the drawn lorry in px, and the axle spacings in m. */
const WHEEL_XS = [54.6, 173.2, 451.5, 504, 556.5] as const
const GAPS = [3.74, 5.67, 1.31, 1.31] as const

type Props = {
  children: ReactNode
  build: Build | undefined
  /** Below the road. */
  links?: ReactNode
}

/** Layout of the pages without a session: form, drawing of a lorry, language selection. */
export function AuthLayout({ children, build, links }: Props) {
  const { t } = useTranslation()
  const language = useLanguage()
  return (
    <div className={css.page}>
      <header className={css.languages}>
        <SegmentedControl
          label={t('language')}
          value={language}
          onChange={chooseLanguage}
          options={languages.map((option) => ({
            value: option,
            label: (
              <abbr title={LANGUAGE_NAMES[option]} lang={option}>
                {option.toUpperCase()}
              </abbr>
            ),
          }))}
        />
      </header>
      <main id="main" className={css.road} tabIndex={-1}>
        <div className={css.above}>
          <div className={css.content}>{children}</div>
          <div className={css.lorry}>
            <Suspense>
              <Silhouette category={9} height={168} />
            </Suspense>
          </div>
        </div>
        <div className={css.below}>
          <div className={css.links}>
            {links}
            {/* Phones have no footer. */}
            {build && <SourceLink href={build.sourceUrl} className={css.source} />}
          </div>
          <Ruler />
        </div>
      </main>
      <Footer build={build} />
    </div>
  )
}

/** Axle spacings with their measures. */
function Ruler() {
  const { number } = useFormat()
  const [first, last] = [WHEEL_XS[0], WHEEL_XS[4]]
  return (
    <svg className={css.ruler} viewBox="0 0 641 60" aria-hidden="true">
      <path d={`${WHEEL_XS.map((x) => `M${x} 8v16`).join('')}M${first} 16H${last}`} />
      {GAPS.map((metres, index) => {
        const middle = ((WHEEL_XS[index] ?? 0) + (WHEEL_XS[index + 1] ?? 0)) / 2
        return (
          <text key={middle} x={middle} y="44">
            {number(metres, 2)}
          </text>
        )
      })}
    </svg>
  )
}
