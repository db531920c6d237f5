import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { clearErrors, showError } from './errors.ts'
import { isComplete, type Missing } from './neededFields.ts'

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
export function useNeededFields<M extends Missing>({ missing, isFirst, entering = false, reset }: Options<M>) {
  const { t } = useTranslation('core')
  const [refused, setRefused] = useState(false)
  const isBlocked = !isFirst && !isComplete(missing)

  const refuse = () => {
    setRefused(true)
    showError('required-parameter-missing', missing.locations ? { title: t('select-station') } : {})
    if (!isFirst) reset()
  }
  // A URL may contain a later step without its fields, and the active filters can remove fields.
  useEffect(() => {
    if (!entering && isBlocked) refuse()
  })

  return {
    /** Nothing can be shown: the URL is about to be replaced. */
    isBlocked: entering || isBlocked,
    /** Missing fields, after the user tried to continue. */
    marked: Object.fromEntries(Object.entries(missing).map(([field, is]) => [field, refused && is])) as M,
    refuse,
    /** Clears the error once nothing is missing. */
    recheck: (stillMissing: M) => {
      if (!refused || !isComplete(stillMissing)) return
      setRefused(false)
      clearErrors()
    },
  }
}
