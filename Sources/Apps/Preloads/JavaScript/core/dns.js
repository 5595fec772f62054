// TXT records by DNS over HTTPS.
import { exception } from '../ports/exceptions.js'

const servers = ['https://dns.google/resolve', 'https://cloudflare-dns.com/dns-query']
const TXT = 16
const nameError = 3

/// A record's text, which may come as strings in quotes.
const textOf = data => {
  const quoted = data.match(/"(?:[^"\\]|\\.)*"/g)
  return quoted ? quoted.map(part => part.slice(1, -1).replace(/\\(.)/g, '$1')) : [data]
}

const dnsException = (domain, code, message) => exception('connect', { connectType: 'dns', domain, code, message })

const ask = async (request, server, domain) => {
  const url = `${server}?name=${encodeURIComponent(domain)}&type=TXT`
  const { status, data } = await request(
    { method: 'GET', url, responseType: 'json', requestHeaders: { accept: 'application/dns-json' } })
  if (status !== 200 || typeof data !== 'object' || data === null) throw dnsException(domain, 'ESERVFAIL', `${server} failed`)
  if (data.Status === nameError) return []
  return (Array.isArray(data.Answer) ? data.Answer : [])
    .filter(({ type, data }) => (type === undefined || type === TXT) && typeof data === 'string')
    .map(({ data }) => textOf(data))
}

/// @returns the texts of a domain's records, by the first server that answers
export const txtResolver = request => async domain => {
  let failure
  for (const server of servers) {
    try {
      const records = await ask(request, server, domain)
      if (records.length > 0) return records
      failure = dnsException(domain, 'ENOTFOUND', `${domain} has no TXT records`)
      break
    } catch (error) {
      failure = { ...dnsException(domain, 'ECONNREFUSED', 'no server for names can be reached'), cause: error }
    }
  }
  throw failure
}
