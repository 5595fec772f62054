// `w3n.mail`: messages between people.
import { errorOf } from '../ipc/errors.js'
import { jsonCall } from './client.js'
import { attribute, json } from './files/shapes.js'
import { fsFrom } from './files/fs.js'
import { late } from './groups.js'
import { ask, given, message, present, some, text, value, watch } from './typed.js'

const anyMessage = value => {
  if (value === undefined) return undefined
  return value instanceof Uint8Array ? { type: 'bytes', bytes: { value } } : { type: 'json', json: { value: json(value) } }
}

const progress = ({ notConnected, allDone, msgSize, localMeta, recipients }) => present({
  notConnected: given(notConnected) || undefined, allDone: given(allDone), msgSize,
  localMeta: localMeta && attribute(localMeta),
  recipients: Object.fromEntries(recipients.map(({ address, info }) => [address, recipient(info)])),
})

const recipient = ({ done, idOnDelivery, bytesSent, err }) =>
  present({ done, idOnDelivery: given(idOnDelivery), bytesSent, err: err && errorOf(err) })

const named = (map = {}, type, client) =>
  Object.keys(map).map(name => ({ name, item: client.reference(map[name], type) }))

const attachmentsMessage = (attachments, client) => attachments && {
  files: named(attachments.files, 'FileImpl', client), folders: named(attachments.folders, 'FSImpl', client),
}

const outgoing = (message, client) => ({
  msgId: some(message.msgId), msgType: message.msgType, recipients: message.recipients, subject: some(message.subject),
  plainTxtBody: some(message.plainTxtBody), htmlTxtBody: some(message.htmlTxtBody),
  jsonBody: message.jsonBody === undefined ? undefined : { value: json(message.jsonBody) },
  carbonCopy: message.carbonCopy, attachments: attachmentsMessage(message.attachments, client),
})

const incoming = ({
  subject, plainTxtBody, htmlTxtBody, jsonBody, carbonCopy, recipients, attachments, deliveryTS, ...message
}, client) => present({
  ...message, deliveryTS, subject: given(subject), plainTxtBody: given(plainTxtBody), htmlTxtBody: given(htmlTxtBody),
  jsonBody: jsonBody && JSON.parse(jsonBody.value), carbonCopy: carbonCopy.length > 0 ? carbonCopy : undefined,
  recipients: recipients.length > 0 ? recipients : undefined, attachments: attachments && fsFrom(client, attachments),
})

const addMessage = ([recipients, msg, id, opts = {}], client) => ({
  recipients, msg: outgoing(msg, client), id, sendImmediately: some(opts.sendImmediately),
  localMeta: anyMessage(opts.localMeta), retryRecipient: opts.retryRecipient,
})

const delivery = late(() => ({
  preFlight: ask('asmail.PreFlightRequestBody', ([toAddress]) => ({ toAddress }), value('common.UInt64Value')),
  addMsg: ask('asmail.AddMsgRequestBody', addMessage),
  listMsgs: ask(undefined, undefined, message('asmail.ListMsgsDeliveryReplyBody',
    ({ msgs }) => msgs.map(({ id, info }) => ({ id, info: progress(info) })))),
  currentState: ask('asmail.CurrentStateRequestBody', ([id]) => ({ id }),
    (body, client) => body && message('asmail.DeliveryProgressMsg', progress)(body, client)),
  observeDelivery: watch('asmail.ObserveDeliveryRequestBody', ([id]) => ({ id }),
    message('asmail.DeliveryProgressMsg', progress)),
  observeAllDeliveries: watch(undefined, undefined, message('asmail.DeliveryNotificationWithId',
    ({ id, progress: state }) => ({ id, progress: progress(state) }))),
  rmMsg: ask('asmail.RmMsgRequestBody', ([id, cancelSending]) => ({ id, cancelSending: some(cancelSending) })),
}))

const inbox = late(() => ({
  listMsgs: ask('asmail.ListMsgsRequestBody', ([fromTS]) => ({ fromTS: some(fromTS) }),
    message('asmail.ListMsgsInboxReplyBody', ({ infos }) => infos)),
  removeMsg: ask('asmail.RemoveMsgRequestBody', ([msgId]) => ({ msgId })),
  getMsg: ask('asmail.GetMsgRequestBody', ([msgId]) => ({ msgId }), message('asmail.IncomingMessageMsg', incoming)),
  subscribe: watch('asmail.SubscribeStartCallBody', ([event]) => ({ event }), message('asmail.IncomingMessageMsg', incoming)),
}))

const call = jsonCall()

export const mail = late(() => ({
  getUserId: ask(undefined, undefined, text),
  delivery: delivery(), inbox: inbox(),
  config: { getOnServer: call, setOnServer: call },
}))
