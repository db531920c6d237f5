import type { Files } from '../core/files.ts'
import type { Api } from '../core/route.ts'
import { createImageReceiver, type ImageUses, type ReceiveImage } from './images.ts'
import { createMeasurementReceiver, type ReceiveMeasurements } from './measurements.ts'

/** What stations send is received by these, by HTTP and by MQTT: one of each in a process, so that all share transactions. */
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
