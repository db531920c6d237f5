import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from '../core/store.ts'
import css from './Queue.module.css'
import { numberOf } from './useInspections.ts'
import { hasUnsent, work } from './work.ts'

/** Steps that are sent at once are not worth a line. */
const DELAY_MS = 1_000

/** Inspections with steps that are still to be sent, by number and count, while the server cannot be reached. */
export function UnsentLine() {
  const { t } = useTranslation('inspections')
  const { all } = useStore(work)
  const ids = Object.entries(all).flatMap(([id, it]) => (hasUnsent(it) && it.refused === null ? [Number(id)] : []))
  const isWaiting = ids.length > 0
  const [isShown, setShown] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setShown(isWaiting), isWaiting ? DELAY_MS : 0)
    return () => clearTimeout(timer)
  }, [isWaiting])
  const numbers = ids.map(numberOf).filter((number) => number !== undefined)
  const isNamed = numbers.length === ids.length
  return (
    <div role="status">
      {isShown && isWaiting && (
        <p className={css.unsent}>
          {ids.length === 1 && isNamed
            ? t('unsent-one', { number: numbers[0] })
            : [t('unsent', { count: ids.length }), isNamed && numbers.join(', ')].filter(Boolean).join(': ')}
        </p>
      )}
    </div>
  )
}
