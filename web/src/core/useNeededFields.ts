import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { clearErrors, showError } from './errors.ts'
import { isComplete, type Missing } from './neededFields.ts'

type Options<M> = {
  missing: M
  /** The step that does without what is missing, because it is chosen there. */
  isFirst: boolean
  /** Whether the address is about to be replaced. */
  entering?: boolean
  /** Back to the first step. */
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
  // An address may ask for a later step without what it needs, and so may a remove button of the active filters.
  useEffect(() => {
    if (!entering && isBlocked) refuse()
  })

  return {
    /** Nothing can be shown: the address is about to be replaced. */
    isBlocked: entering || isBlocked,
    /** The missing fields, once the operator was refused. */
    marked: Object.fromEntries(Object.entries(missing).map(([field, is]) => [field, refused && is])) as M,
    refuse,
    /** Removes the error message if nothing is missing any more. */
    recheck: (stillMissing: M) => {
      if (!refused || !isComplete(stillMissing)) return
      setRefused(false)
      clearErrors()
    },
  }
}
