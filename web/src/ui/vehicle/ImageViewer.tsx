import type { ReactNode } from 'react'
import css from './ImageViewer.module.css'

type ViewedImage = {
  key: string
  /** What the image shows, for example "front". */
  name: string
  thumbnail: ReactNode
}

type Props = {
  images: readonly ViewedImage[]
  /** Index of the enlarged image. */
  at: number
  large: ReactNode
  onSelect: (at: number) => void
  /** Below the enlarged image. */
  caption: ReactNode
  hint: ReactNode
  texts: { title: string; next: string; none: string }
}

/** One enlarged image and thumbnails of all; a click on the enlarged one shows the next. */
export function ImageViewer({ images, at, large, onSelect, caption, hint, texts }: Props) {
  const image = images[at]
  if (!image) {
    return (
      <section className={css.viewer} aria-label={texts.title}>
        <div className={`${css.large} ${css.missing}`}>{texts.none}</div>
      </section>
    )
  }
  return (
    <section className={css.viewer} aria-label={texts.title}>
      <button
        type="button"
        className={css.large}
        onClick={() => onSelect((at + 1) % images.length)}
        aria-label={`${image.name}. ${texts.next}`}
      >
        {large}
      </button>
      <div className={css.thumbnails}>
        {images.map(({ key, name, thumbnail }, i) => (
          <button
            key={key}
            type="button"
            className={i === at ? `${css.thumbnail} ${css.on}` : css.thumbnail}
            aria-label={name}
            aria-current={i === at}
            onClick={() => onSelect(i)}
          >
            {thumbnail}
          </button>
        ))}
      </div>
      <div className={css.foot}>
        <span>
          <b>
            {at + 1} / {images.length}
          </b>{' '}
          {caption}
        </span>
        <span className={css.hint}>{hint}</span>
      </div>
    </section>
  )
}

/** Camera image: dark while loading (undefined), a text if unavailable (null). */
export function CameraImage({ url, missing }: { url: string | null | undefined; missing: string }) {
  if (url === null) return <span className={css.missing}>{missing}</span>
  return url ? <img className={css.image} src={url} alt="" /> : null
}
