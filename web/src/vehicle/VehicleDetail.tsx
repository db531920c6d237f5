import type { WireVehicle } from '@rogatka/contract/vehicle.ts'
import type { ReactNode } from 'react'
import { Axles } from './Axles.tsx'
import { Images } from './Images.tsx'
import { Loads } from './Loads.tsx'
import { Parameters } from './Parameters.tsx'
import type { VehicleLocator } from './useVehicle.ts'
import { VehicleHeader } from './VehicleHeader.tsx'
import css from './VehiclePage.module.css'

/** Parts of other features. */
export type DetailParts = {
  inspection: (vehicle: WireVehicle) => ReactNode
  weights: (vehicle: WireVehicle) => ReactNode
}

type Props = DetailParts & { locator: VehicleLocator; vehicle: WireVehicle }

/** All data of one vehicle. */
export const VehicleDetail = ({ locator, vehicle, inspection, weights }: Props) => (
  <div className={css.detail}>
    <div className={css.top}>
      <VehicleHeader source={locator.source} vehicle={vehicle} />
      {inspection(vehicle)}
    </div>
    <Images vehicle={vehicle} />
    <Loads vehicle={vehicle} />
    <Parameters vehicle={vehicle} />
    <div className={css.bottom}>
      {weights(vehicle)}
      <Axles vehicle={vehicle} />
    </div>
  </div>
)
