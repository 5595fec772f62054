// `w3n.shell`: other apps, the person's files, and what the desktop offers.
import { jsonCall, jsonObservable } from './client.js'
import { fileFrom } from './files/file.js'
import { fsFrom } from './files/fs.js'
import { stats } from './files/shapes.js'
import { calls, late } from './groups.js'
import { ask, message, some } from './typed.js'

const file = (message, client) => message && fileFrom(client, message)
const folder = (message, client) => message && fsFrom(client, message)
const notEmpty = list => list.length > 0 ? list : undefined

const open = (reply, map) => ask('file_dialogs.OpenDialogArgs',
  ([title, btnLabel, multiSelections, filters]) => ({ title, btnLabel, multiSelections, filters }), message(reply, map))
const save = (reply, map) => ask('file_dialogs.SaveDialogArgs',
  ([title, btnLabel, defaultPath, filters]) => ({ title, btnLabel, defaultPath, filters }), message(reply, map))

const fileDialogs = late(() => ({
  openFileDialog: open('file_dialogs.OpenFileDialogReplyBody',
    ({ files }, client) => notEmpty(files.map(found => file(found, client)))),
  openFolderDialog: open('file_dialogs.OpenFolderDialogReplyBody',
    ({ folders }, client) => notEmpty(folders.map(found => folder(found, client)))),
  saveFileDialog: save('file_dialogs.SaveFileDialogReplyBody', (reply, client) => file(reply.file, client)),
  saveFolderDialog: save('file_dialogs.SaveFolderDialogReplyBody', (reply, client) => folder(reply.folder, client)),
}))

const deviceFiles = late(() => ({
  standardFileToDeviceFile: jsonCall(message('file.File', file)),
  standardFileToDeviceFolder: jsonCall(message('fs.FS', folder)),
  statStandardItem: jsonCall(message('file.StatsMsg', stats)),
}))

export const shell = late(() => ({
  ...calls('startAppWithParams getStartedCmd openDashboard openFile openFolder openInMounted openURL moveDevFSItemToTrash'),
  watchStartCmds: jsonObservable,
  getFSResource: ask('shell_fs_resource.GetFSResourceRequestBody',
    ([appDomain, resourceName]) => ({ appDomain: some(appDomain), resourceName }),
    message('shell_fs_resource.GetFSResourceReplyBody',
      (reply, client) => folder(reply.folder, client) ?? file(reply.file, client))),
  fileDialogs: fileDialogs(), deviceFiles: deviceFiles(),
  userNotifications: { ...calls('addNotification removeNotification'), watch: jsonObservable },
  clipboard: calls('readText writeText readHTML writeHTML readRTF writeRTF'),
  mounts: calls('mountFolder mountFile unmountPath unmountFolder unmountFile'),
}))
