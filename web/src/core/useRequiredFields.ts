import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { clearErrors, showError } from './errors.ts'
import { isNothingMissing, type MissingFields } from './requiredFields.ts'

type Options<M> = {
  missing: M
  /** The step in which the fields are entered. */
  isFirst: boolean
  /** Whether the URL is about to be replaced. */
  entering?: boolean
  /** Returns to the first step. */
  reset: () => void
}

/** Keeps a wizard at its first step while a needed field is missing, with an error message. */
export function useRequiredFields<M extends MissingFields>({ missing, isFirst, entering = false, reset }: Options<M>) {
  const { t } = useTranslation('core')
  const [isRejected, setIsRejected] = useState(false)
  const isBlocked = !isFirst && !isNothingMissing(missing)

  const reject = () => {
    setIsRejected(true)
    showError('required-parameter-missing', missing.locations ? { title: t('select-station') } : {})
    if (!isFirst) reset()
  }
  // A URL may contain a later step without its fields, and the active filters can remove fields.
  useEffect(() => {
    if (!entering && isBlocked) reject()
  })

  return {
    /** Nothing can be shown: the URL is about to be replaced. */
    isBlocked: entering || isBlocked,
    /** Missing fields, after the user tried to continue. */
    invalid: Object.fromEntries(
      Object.entries(missing).map(([field, isMissing]) => [field, isRejected && isMissing]),
    ) as M,
    reject,
    /** Clears the error once nothing is missing. */
    recheck: (stillMissing: M) => {
      if (!isRejected || !isNothingMissing(stillMissing)) return
      setIsRejected(false)
      clearErrors()
    },
  }
}
