import test from 'node:test'
import { ChannelSession } from './channel.js'
import { fuzz } from './fuzz-run.js'

test('editors and a terminal agree after random edits', () => fuzz(1, 1000, 20))

test('pages and a terminal agree, and lose nothing, when connections break and the host is killed', () => fuzz(1, 50, 20, ChannelSession))

test('what is written beside something that was thrown away is thrown away, too', () => fuzz(982, 1, 20, ChannelSession))
