import css from './StrengthMeter.module.css'

const LEVELS = ['weak', 'medium', 'strong'] as const

type Props = {
  /** Name of the measured value, for example "Siła hasła". */
  label: string
  strength: (typeof LEVELS)[number] | null
  /** The strength as text. */
  word: string
}

/** Password strength: three bars and a word. Rendered from the start, so that the layout does not shift. */
export const StrengthMeter = ({ label, strength, word }: Props) => (
  <div className={css.meter} data-strength={strength ?? undefined}>
    {LEVELS.map((level, at) => (
      <i key={level} data-on={(strength && at <= LEVELS.indexOf(strength)) || undefined} />
    ))}
    <span role="status">
      {label}: <b>{word}</b>
    </span>
  </div>
)
