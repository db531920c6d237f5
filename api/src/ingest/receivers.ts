import type { Files } from '../core/files.ts'
import type { Api } from '../core/route.ts'
import { createImageReceiver, type ImageUses, type ReceiveImage } from './images.ts'
import { createMeasurementReceiver, type ReceiveMeasurements } from './measurements.ts'

/** Receivers of what stations send by HTTP or MQTT: one of each per process, so that all requests share transactions. */
export type Receivers = { measurements: ReceiveMeasurements; image: ReceiveImage }

/** Creates the receivers of this process. */
export const createReceivers = (
  api: Pick<Api, 'db' | 'config' | 'metrics'>,
  files: Files,
  images: ImageUses,
): Receivers => ({
  measurements: createMeasurementReceiver(api),
  image: createImageReceiver(api.db, files, images, api.config),
})
