import css from './ToggleRow.module.css'

type Props = {
  label: string
  options: readonly { value: number; label: string }[]
  selected: readonly number[]
  onToggle: (value: number) => void
}

/** Toggle buttons in a row. */
export const ToggleRow = ({ label, options, selected, onToggle }: Props) => (
  <fieldset className={css.row} aria-label={label}>
    {options.map(({ value, label: text }) => (
      <button key={value} type="button" aria-pressed={selected.includes(value)} onClick={() => onToggle(value)}>
        {text}
      </button>
    ))}
  </fieldset>
)
