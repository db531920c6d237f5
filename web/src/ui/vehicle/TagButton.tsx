import { CheckIcon } from '../icons.tsx'
import css from './TagButton.module.css'

type Props = {
  tagged: boolean
  /** For screen readers: names the vehicle. */
  label: string
  hint: string
  onClick: () => void
}

/** Toggles the operator's own tag; `--tag-…` set its size and colours. */
export const TagButton = ({ tagged, label, hint, onClick }: Props) => (
  <button
    type="button"
    className={tagged ? `${css.tag} ${css.on}` : css.tag}
    aria-pressed={tagged}
    aria-label={label}
    title={`${hint} (T)`}
    onClick={onClick}
  >
    <CheckIcon size={20} />
  </button>
)
