import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { UpIcon } from '../../ui/icons.tsx'
import css from './PageLayout.module.css'

/** Scrolled further, the button is shown. */
const SHOW_AFTER_PX = 300

/** Button that scrolls its parent element to the top. */
export function BackToTop() {
  const { t } = useTranslation()
  const [isVisible, setIsVisible] = useState(false)
  const container = useRef<HTMLDivElement>(null)
  const scrollArea = () => container.current?.parentElement ?? null

  useEffect(() => {
    const main = container.current?.parentElement
    if (!main) return
    const update = () => setIsVisible(main.scrollTop > SHOW_AFTER_PX)
    main.addEventListener('scroll', update, { passive: true })
    return () => main.removeEventListener('scroll', update)
  }, [])

  const scrollToTop = () => {
    scrollArea()?.scrollTo({ top: 0 })
    scrollArea()?.focus({ preventScroll: true })
  }
  return (
    <div ref={container} className={css.toTopPlace}>
      {isVisible && (
        <button type="button" className={css.toTop} onClick={scrollToTop} aria-label={t('to-top')} title={t('to-top')}>
          <UpIcon />
        </button>
      )}
    </div>
  )
}
