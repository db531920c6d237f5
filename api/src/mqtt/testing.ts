import { answer, answersTopic, imageTopic, measurementsTopic } from '@rogatka/contract/mqtt.ts'
import type { ImageType } from '@rogatka/contract/vehicle.ts'
import { connectAsync, type IClientOptions, type MqttClient } from 'mqtt'
import { onTestFinished } from 'vitest'
import type { Config } from '../config.ts'
import { freePort } from '../core/free-port.ts'
import { type TestApi, testApi, testStation } from '../testing/test-api.ts'

/** A server that takes messages on a port of its own, and the URL of it. */
export async function mqttApi(
  settings: Partial<Config> = {},
  share?: Parameters<typeof testApi>[1],
): Promise<TestApi & { mqttUrl: string; mqttPort: number }> {
  const port = await freePort()
  const api = await testApi({ mqtt: { host: '127.0.0.1', port, certificate: null }, ...settings }, share)
  return { ...api, mqttUrl: `mqtt://127.0.0.1:${port}`, mqttPort: port }
}

/** Connects MQTT.js as a station, once, until the test ends. */
export async function connectStation(
  url: string,
  key: string | undefined,
  options: IClientOptions = {},
  locationId = testStation.id,
): Promise<MqttClient> {
  const client = await connectAsync(
    url,
    { username: String(locationId), password: key ?? '', reconnectPeriod: 0, ...options },
    // A refused connection is an error, not tried again.
    false,
  )
  client.on('error', () => {})
  onTestFinished(() => void client.end(true))
  return client
}

/** Publishes measurements and resolves when they are acknowledged. */
export const publishVehicles = (client: MqttClient, vehicles: readonly unknown[], locationId = testStation.id) =>
  client.publishAsync(measurementsTopic(locationId), JSON.stringify(vehicles), { qos: 1 })

/** Publishes an image and resolves when it is acknowledged. */
export const publishImage = (
  client: MqttClient,
  { sequence, createdAt }: { sequence: number; createdAt: string },
  type: ImageType,
  bytes: Buffer,
  locationId = testStation.id,
) => client.publishAsync(imageTopic(locationId, sequence, new Date(createdAt), type), bytes, { qos: 1 })

/** Subscribes to the answers of a station; returns those that arrive. */
export async function subscribeAnswers(client: MqttClient, locationId = testStation.id) {
  const answers: unknown[] = []
  client.on('message', (topic, payload) => {
    if (topic === answersTopic(locationId)) answers.push(answer.parse(JSON.parse(payload.toString())))
  })
  await client.subscribeAsync(answersTopic(locationId))
  return answers
}

/** Resolves when the connection of a client is closed. */
export const closed = (client: MqttClient): Promise<void> =>
  client.connected ? new Promise((resolve) => client.once('close', () => resolve())) : Promise.resolve()
