import type { Image, WireVehicle } from '@rogatka/contract/vehicle.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatTime } from '../core/format.ts'
import { useShortcuts } from '../core/shortcuts.ts'
import { LeftIcon, RightIcon } from '../ui/icons.tsx'
import { Kbd } from '../ui/Kbd.tsx'
import { ImageViewer } from '../ui/vehicle/ImageViewer.tsx'
import { useImageExpiry } from './useImageExpiry.ts'
import { VehicleImage } from './VehicleImage.tsx'
import css from './VehiclePage.module.css'

/** Images; a click or the arrow keys show the next one. */
export function Images({ vehicle }: { vehicle: WireVehicle }) {
  const { t } = useTranslation('vehicle')
  const images = vehicle.images ?? []
  const imageRetention = useImageExpiry()(vehicle)
  const [selected, setSelected] = useState<Image['type']>()
  const at = Math.max(
    0,
    images.findIndex(({ type }) => type === selected),
  )
  const select = (index: number) => setSelected(images[index]?.type)
  const step = (offset: number) => select((at + offset + images.length) % images.length)
  useShortcuts(
    images.length > 1
      ? [
          { key: 'ArrowLeft', label: t('previous-image'), run: () => step(-1) },
          { key: 'ArrowRight', label: t('next-image'), run: () => step(1) },
        ]
      : [],
  )
  const selectedImage = images[at]
  return (
    <div className={css.images}>
      <ImageViewer
        images={images.map((image) => ({
          key: image.type,
          name: t(`image-${image.type}`),
          thumbnail: <VehicleImage image={image} />,
        }))}
        at={at}
        large={selectedImage && <VehicleImage key={selectedImage.type} image={selectedImage} large />}
        onSelect={select}
        caption={
          selectedImage &&
          [
            t(`image-${selectedImage.type}`),
            vehicle.location.shortName,
            t('ui:lane-number', { lane: vehicle.lane.laneNumber }),
            formatTime(vehicle.createdAt),
          ].join(', ')
        }
        hint={
          images.length > 1 && (
            <>
              <Kbd>
                <LeftIcon size={12} />
              </Kbd>{' '}
              <Kbd>
                <RightIcon size={12} />
              </Kbd>{' '}
              {t('or-click')}
            </>
          )
        }
        texts={{
          title: t('images'),
          next: t('next-image'),
          none: imageRetention === null ? t('no-images') : t('images-removed', { count: imageRetention }),
        }}
      />
    </div>
  )
}
