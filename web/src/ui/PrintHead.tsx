import css from './PrintHead.module.css'

/** Title and criteria in words, on paper in place of a filter panel. */
export const PrintHead = ({ title, lines }: { title: string; lines: readonly string[] }) => (
  <header className={css.head}>
    <h1>{title}</h1>
    {lines.map((line) => (
      <p key={line}>{line}</p>
    ))}
  </header>
)
