import type { Image, WireVehicle } from '@rogatka/contract/vehicle.ts'
import type { WireOpenHit } from '@rogatka/contract/wanted-hits.ts'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useRight } from '../core/useSelf.ts'
import { CameraImage } from '../ui/vehicle/ImageViewer.tsx'
import { useImage, useVehicle } from '../vehicle/publicApi.ts'
import css from './HitSheet.module.css'

type Props = {
  hit: WireOpenHit
  /** Beside the images. */
  children: ReactNode
}

/** The image of the vehicle and the crop of its plate, uncut; only the text without the right to measurements. */
export function HitImages({ hit, children }: Props) {
  const isLive = useRight('CurrentMeasurements')
  const isArchive = useRight('ArchiveMeasurements')
  if (!isLive && !isArchive) return <div className={css.besideImages}>{children}</div>
  return (
    <Images hit={hit} source={isLive ? 'live' : 'archive'}>
      {children}
    </Images>
  )
}

function Images({ hit, source, children }: Props & { source: 'live' | 'archive' }) {
  const { t } = useTranslation('vehicle')
  const { id, createdAt, location } = hit
  const { data: vehicle, isPending } = useVehicle({ source, id, locationId: location.id, createdAt })
  const images = vehicle?.images ?? []
  const whole = wholeImageOf(vehicle)
  const plate = images.find(({ type }) => type === 'plate') ?? null
  const of = (image: Image | null, name: string) => (
    <div className={css.image} role="img" aria-label={name}>
      {isPending ? null : <HitImage image={image} missing={t('no-image')} />}
    </div>
  )
  return (
    <div className={css.images}>
      {of(whole, t(`image-${whole?.type ?? 'front'}`))}
      <div className={css.besideImages}>
        {of(plate, t('image-plate'))}
        {children}
      </div>
    </div>
  )
}

/** The image of the whole vehicle: from the front, if there is one. */
export function wholeImageOf(vehicle: Pick<WireVehicle, 'images'> | undefined): Image | null {
  const images = vehicle?.images ?? []
  return (
    images.find(({ type }) => type === 'front') ??
    images.find(({ type }) => type === 'overview') ??
    images.find(({ type }) => type !== 'plate') ??
    null
  )
}

/** An image as large as possible, by its thumbnail until it is loaded. */
export function HitImage({ image, missing }: { image: Image | null; missing: string }) {
  const small = useImage(image)
  const full = useImage(image, { version: 'full' })
  return <CameraImage url={full ?? small} missing={missing} />
}
