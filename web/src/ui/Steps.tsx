import { useTranslation } from 'react-i18next'
import css from './Steps.module.css'

type Props = {
  /** The names of the steps, in their order. */
  steps: readonly string[]
  /** From 1. */
  current: number
  /** Called only with completed steps. */
  onPick: (step: number) => void
}

/** Wizard steps: completed ones are links back, the current one is marked. */
export function Steps({ steps, current, onPick }: Props) {
  const { t } = useTranslation('ui')
  return (
    <nav className={css.container} aria-label={t('steps')}>
      <ol className={css.steps}>
        {steps.map((name, index) => {
          const number = index + 1
          const label = (
            <>
              <i>{number}</i>
              {name}
            </>
          )
          if (number < current)
            return (
              <li key={name} className={css.done}>
                <button type="button" onClick={() => onPick(number)}>
                  {label}
                </button>
              </li>
            )
          return (
            <li key={name} {...(number === current && { className: css.current, 'aria-current': 'step' as const })}>
              <span>{label}</span>
            </li>
          )
        })}
      </ol>
    </nav>
  )
}
