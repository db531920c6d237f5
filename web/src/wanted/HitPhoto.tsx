import type { WireOpenHit } from '@rogatka/contract/wanted-hits.ts'
import { useTranslation } from 'react-i18next'
import { useVehicle } from '../vehicle/publicApi.ts'
import { HitImage, wholeImageOf } from './HitImages.tsx'

/** The image of the whole vehicle, for users of the live list. */
export function HitPhoto({ hit: { id, createdAt, location } }: { hit: WireOpenHit }) {
  const { t } = useTranslation('vehicle')
  const { data: vehicle, isPending } = useVehicle({ source: 'live', id, locationId: location.id, createdAt })
  return isPending ? null : <HitImage image={wholeImageOf(vehicle)} missing={t('no-image')} />
}
