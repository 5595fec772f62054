// node fuzz-run.js [--seed N] [--sessions N] [--rounds N] [--channel 1]: random sessions; a failure names its seed, and the least rounds that
// show it. With a channel they go over what the page says to its host.
import { ChannelSession } from './channel.js'
import { Session } from './fuzz.js'

const option = (name, value) => {
  const index = process.argv.indexOf('--' + name)
  return index < 0 ? value : Number(process.argv[index + 1])
}

const kinds = ['undoing', 'wild', 'wild', 'gentle', 'wild', 'moving', 'wild']

/** Runs sessions; throws the first failure with its seed. */
export const fuzz = async (first, sessions, rounds, Kind = Session) => {
  for (let seed = first; seed < first + sessions; seed++) {
    const session = new Kind(seed, kinds[seed % kinds.length])
    try {
      await session.run(rounds)
    } catch (error) {
      const last = session.log.slice(-6).map(entry => entry.join(' ')).join('\n  ')
      throw new Error(`seed ${seed} after ${session.log.length} actions: ${error.stack}\nlast:\n  ${last}`)
    }
  }
}

if (process.argv.includes('--sessions') || process.argv.includes('--seed')) {
  const [first, sessions, rounds] = [option('seed', 1), option('sessions', 1), option('rounds', 40)]
  const start = performance.now()
  await fuzz(first, sessions, rounds, option('channel', 0) ? ChannelSession : Session)
  console.log(`${sessions} sessions of ${rounds} rounds in ${((performance.now() - start) / 1000).toFixed(1)} s`)
}
