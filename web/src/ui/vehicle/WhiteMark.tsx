import css from './WhiteMark.module.css'

/** Says that a vehicle is white-listed, and as what. */
export const WhiteMark = ({ word, description }: { word: string; description: string }) => (
  <div className={css.white}>
    <strong>{word}</strong>
    <span title={description}>{description}</span>
  </div>
)
