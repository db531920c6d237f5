import { MISSING } from '../core/format.ts'
import { useSignImage } from './useSignImage.ts'
import css from './Vms.module.css'

type Props = {
  /** Path below the API base; null: no image. */
  link: string | null
  /** Description of the content. */
  alt: string
  /** Text without an image. */
  none?: string
  small?: boolean
  /** The sign is off: shows the content that it would show. */
  faint?: boolean
}

/** Image of a sign's content; reserves its size while loading. */
export function SignImage({ link, alt, none = MISSING, small = false, faint = false }: Props) {
  const url = useSignImage(link)
  if (url === null) return <span className={css.quiet}>{none}</span>
  const names = [css.image, small && css.small, faint && css.faint].filter(Boolean).join(' ')
  return <span className={names}>{url && <img src={url} alt={alt} />}</span>
}
