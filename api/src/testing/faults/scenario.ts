import { type Random, seededRandom } from '@rogatka/domain/core/random.ts'
import type { DatabaseFaults } from './connections.ts'
import type { MailFaults } from './mail-server.ts'
import type { NetworkFaults } from './network.ts'
import type { SignFaults } from './signs.ts'
import type { TicketFaults } from './ticket-service.ts'

export type Feature = 'images' | 'signs' | 'tickets'

/** What a history is about, and how much goes wrong in it. Probabilities are of one request, statement or answer. */
export type Scenario = {
  features: Record<Feature, boolean>
  batches: number
  /** How many times a process dies at any moment, and how likely it does after a request to the outside took effect. */
  deaths: number
  deathsAfterRequest: number
  /** How often connections fail as a whole. */
  disconnections: number
  chaosMs: number
  database: DatabaseFaults
  network: NetworkFaults
  mail: MailFaults
  signs: SignFaults
  tickets: TicketFaults
  disk: number
}

/** A scenario of a seed: in some nothing fails, in some only one part does, as faults may hide each other. */
export function createScenario(random: Random): Scenario {
  const rate = (of: readonly number[]) => (random.happens(0.5) ? 0 : random.pick(of))
  const rare = [0.005, 0.02, 0.05]
  const frequent = [0.05, 0.2, 0.4]
  const features = { images: random.happens(0.5), signs: random.happens(0.4), tickets: random.happens(0.35) }
  return {
    features,
    batches: 1 + random.below(4),
    deaths: random.happens(0.5) ? 0 : 1 + random.below(3),
    deathsAfterRequest: rate([0.05, 0.2]),
    disconnections: random.happens(0.5) ? 0 : 1 + random.below(3),
    // Tickets are sent once a minute.
    chaosMs: features.tickets && random.happens(0.6) ? 20_000 + random.below(160_000) : 2_000 + random.below(12_000),
    database: {
      lostBefore: rate(rare),
      lostAfter: rate(rare),
      failed: rate(rare),
      silent: rate([0.002, 0.005, 0.01]),
      slow: rate(frequent),
      refused: rate(frequent),
    },
    network: { lost: rate(frequent), unanswered: rate(frequent), repeated: rate(frequent), slow: rate(frequent) },
    mail: { refused: rate(frequent), unanswered: rate(frequent), slow: rate(frequent) },
    signs: { lost: rate(frequent), unanswered: rate(frequent), late: rate([0.05, 0.2]), rejected: rate(frequent) },
    tickets: {
      lost: rate(frequent),
      unanswered: rate(frequent),
      late: rate(frequent),
      failed: rate(frequent),
      slow: rate(frequent),
    },
    disk: rate(frequent),
  }
}

/** What takes part in the history of a seed. */
export const featuresOf = (seed: number): Scenario['features'] => createScenario(seededRandom(seed)).features
