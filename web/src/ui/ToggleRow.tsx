import css from './ToggleRow.module.css'

type Props = {
  label: string
  /** `name`: what an abbreviated label means. */
  options: readonly { value: number; label: string; name?: string }[]
  selected: readonly number[]
  onToggle: (value: number) => void
  /** Columns of equal width over the whole width; absent: a row that wraps. */
  columns?: number | undefined
}

/** Toggle buttons in a row. */
export const ToggleRow = ({ label, options, selected, onToggle, columns }: Props) => (
  <fieldset
    className={css.row}
    aria-label={label}
    {...(columns && { 'data-grid': true, style: { gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` } })}
  >
    {options.map(({ value, label: text, name }) => (
      <button
        key={value}
        type="button"
        aria-pressed={selected.includes(value)}
        {...(name && { 'aria-label': name, title: name })}
        onClick={() => onToggle(value)}
      >
        {text}
      </button>
    ))}
  </fieldset>
)
