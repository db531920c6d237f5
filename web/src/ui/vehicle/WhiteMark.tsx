import css from './WhiteMark.module.css'

/** White-list mark with its description. */
export const WhiteMark = ({ word, description }: { word: string; description: string }) => (
  <div className={css.white}>
    <strong>{word}</strong>
    <span title={description}>{description}</span>
  </div>
)
