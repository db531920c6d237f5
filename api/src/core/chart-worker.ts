import { parentPort } from 'node:worker_threads'
import { type Drawing, drawImage } from './chart-image.ts'
import type { ChartReply, ChartRequest } from './chart-thread.ts'

/* Worker thread that renders charts (chart-thread.ts). */

const reply = (message: ChartReply) => parentPort?.postMessage(message)

parentPort?.on('message', async ({ id, module, input }: ChartRequest) => {
  try {
    const { draw } = (await import(module)) as { draw: (input: unknown) => Drawing }
    reply({ id, image: await drawImage(draw(input)) })
  } catch (error) {
    reply({ id, error })
  }
})
