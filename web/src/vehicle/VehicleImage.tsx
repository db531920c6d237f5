import type { Image } from '@rogatka/contract/vehicle.ts'
import { useTranslation } from 'react-i18next'
import { CameraImage } from '../ui/vehicle/ImageViewer.tsx'
import { useImage } from './useImage.ts'

/** An image of a vehicle; a large one is the thumbnail until the full-size image has loaded. */
export function VehicleImage({ image, large = false }: { image: Image; large?: boolean }) {
  const { t } = useTranslation('vehicle')
  const small = useImage(image)
  const full = useImage(image, { version: 'full', enabled: large })
  return <CameraImage url={large ? (full ?? small) : small} missing={t('no-image')} />
}
