import { MISSING } from '../core/format.ts'
import { useSignImage } from './useSignImage.ts'
import css from './Vms.module.css'

type Props = {
  /** Below the base of the API; null: there is none. */
  link: string | null
  /** What is on it, in words. */
  alt: string
  /** What stands in its place when there is none. */
  none?: string
  small?: boolean
  /** Not what the sign shows, but what it would. */
  faint?: boolean
}

/** A sign as it looks beside the road; its place has its size before the picture is there. */
export function SignImage({ link, alt, none = MISSING, small = false, faint = false }: Props) {
  const url = useSignImage(link)
  if (url === null) return <span className={css.quiet}>{none}</span>
  const names = [css.image, small && css.small, faint && css.faint].filter(Boolean).join(' ')
  return <span className={names}>{url && <img src={url} alt={alt} />}</span>
}
