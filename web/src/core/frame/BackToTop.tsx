import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { UpIcon } from '../../ui/icons.tsx'
import css from './PageLayout.module.css'

/** Scrolled further, the button is shown. */
const FAR_PX = 300

/** Button that scrolls its parent element to the top. */
export function BackToTop() {
  const { t } = useTranslation()
  const [far, setFar] = useState(false)
  const place = useRef<HTMLDivElement>(null)
  const area = () => place.current?.parentElement ?? null

  useEffect(() => {
    const main = place.current?.parentElement
    if (!main) return
    const look = () => setFar(main.scrollTop > FAR_PX)
    main.addEventListener('scroll', look, { passive: true })
    return () => main.removeEventListener('scroll', look)
  }, [])

  const climb = () => {
    area()?.scrollTo({ top: 0 })
    area()?.focus({ preventScroll: true })
  }
  return (
    <div ref={place} className={css.toTopPlace}>
      {far && (
        <button type="button" className={css.toTop} onClick={climb} aria-label={t('to-top')} title={t('to-top')}>
          <UpIcon />
        </button>
      )}
    </div>
  )
}
