import css from './WhiteMark.module.css'

/** White-list mark with its description. */
export const WhiteMark = ({ label, description }: { label: string; description: string }) => (
  <div className={css.white}>
    <strong>{label}</strong>
    <span title={description}>{description}</span>
  </div>
)
