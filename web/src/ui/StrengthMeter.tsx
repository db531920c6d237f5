import css from './StrengthMeter.module.css'

const LEVELS = ['weak', 'medium', 'strong'] as const

type Props = {
  /** What is measured: "Siła hasła". */
  label: string
  strength: (typeof LEVELS)[number] | null
  /** The strength in a word. */
  word: string
}

/** Three bars that fill with the strength of a password, and the word for it. Its place is there from the start. */
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
