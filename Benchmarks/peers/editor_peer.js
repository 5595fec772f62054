// The editor of notes in Chromium: prints its figures as JSON. `node editor_peer.mjs PAGE`, both bundled by Scripts/editor-bench.
import { openPage } from '../../Tests/Editor/browser.js'

const page = await openPage(process.argv[2])
try {
  await page.until('typeof measure === "function"')
  const figures = {}
  for (const kilobytes of [10, 100, 1000]) {
    const { open, press, remote, typed } = await page.evaluate(`measure(${kilobytes})`)
    if (!typed) throw new Error('the editor did not take what was typed')
    Object.assign(figures, { ['open ' + kilobytes]: open, ['press ' + kilobytes]: press, ['remote ' + kilobytes]: remote })
  }
  const { time, blocks } = await page.evaluate('typeIn(64)')
  if (blocks < 50) throw new Error('the editor did not take what was typed')
  figures.type = time
  console.log(JSON.stringify(figures))
} finally {
  await page.close()
}
