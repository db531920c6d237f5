import { createInterface } from 'node:readline'
import { startAgent } from './agent.ts'
import { createSign, type FaultInjection, type SimulatedSign } from './sign.ts'

/*
 * Signs on loopback, as a process of its own: `{"signs":[{"id","port","community"}]}` on its input starts them,
 * `{"trouble":{"id":…,"lateMs":…}}` makes one misbehave, `{"restart":id}` takes its power for a moment, and
 * `{"ask":id}` has it say what it shows. It ends with its input.
 */
type ParentMessage = {
  signs?: { id: number; port: number; community: string }[]
  trouble?: FaultInjection & { id: number }
  restart?: number
  ask?: number
}

const signs = new Map<number, SimulatedSign>()
const say = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`)

const lines = createInterface({ input: process.stdin })
lines.on('line', (line) => {
  const order = JSON.parse(line) as ParentMessage
  for (const { id, ...address } of order.signs ?? []) {
    const sign = createSign()
    startAgent(sign, address)
    signs.set(id, sign)
  }
  if (order.signs) say({ started: order.signs.map(({ id }) => id) })
  if (order.trouble) {
    const { id, ...trouble } = order.trouble
    signs.get(id)?.trouble(trouble)
    say({ troubled: id })
  }
  if (order.restart !== undefined) {
    signs.get(order.restart)?.restart()
    say({ restarted: order.restart })
  }
  if (order.ask !== undefined) {
    const sign = signs.get(order.ask)
    say({ id: order.ask, shows: sign?.shows(), owner: sign?.owner() })
  }
})
const exit = () => process.exit(0)
lines.on('close', exit)
process.on('SIGTERM', exit)
process.on('SIGINT', exit)
process.stdout.on('error', exit)
