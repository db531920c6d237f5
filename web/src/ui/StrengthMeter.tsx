import css from './StrengthMeter.module.css'

const LEVELS = ['weak', 'medium', 'strong'] as const

type Props = {
  /** Name of the measured value, for example "Siła hasła". */
  label: string
  strength: (typeof LEVELS)[number] | null
  /** The strength as text. */
  strengthText: string
}

/** Password strength: three bars and a word. Rendered from the start, so that the layout does not shift. */
export const StrengthMeter = ({ label, strength, strengthText }: Props) => (
  <div className={css.meter} data-strength={strength ?? undefined}>
    {LEVELS.map((level, index) => (
      <i key={level} data-on={(strength && index <= LEVELS.indexOf(strength)) || undefined} />
    ))}
    <span role="status">
      {label}: <b>{strengthText}</b>
    </span>
  </div>
)
