// `w3n.shell`: other apps, the person's files, and what the desktop offers.
import {
  file_dialogs_OpenDialogArgs, file_dialogs_OpenFileDialogReplyBody, file_dialogs_OpenFolderDialogReplyBody,
  file_dialogs_SaveDialogArgs, file_dialogs_SaveFileDialogReplyBody, file_dialogs_SaveFolderDialogReplyBody, file_File,
  file_StatsMsg, fs_FS, shell_fs_resource_GetFSResourceReplyBody, shell_fs_resource_GetFSResourceRequestBody,
} from 'messages'
import { jsonCall, jsonObservable } from './client.js'
import { fileFrom } from './files/file.js'
import { fsFrom } from './files/fs.js'
import { stats } from './files/shapes.js'
import { calls } from './groups.js'
import { ask, message, some } from './typed.js'

const file = (message, client) => message && fileFrom(client, message)
const folder = (message, client) => message && fsFrom(client, message)
const notEmpty = list => list.length > 0 ? list : undefined

const open = (reply, map) => ask(file_dialogs_OpenDialogArgs,
  ([title, btnLabel, multiSelections, filters]) => ({ title, btnLabel, multiSelections, filters }), message(reply, map))
const save = (reply, map) => ask(file_dialogs_SaveDialogArgs,
  ([title, btnLabel, defaultPath, filters]) => ({ title, btnLabel, defaultPath, filters }), message(reply, map))

const fileDialogs = {
  openFileDialog: open(file_dialogs_OpenFileDialogReplyBody,
    ({ files }, client) => notEmpty(files.map(found => file(found, client)))),
  openFolderDialog: open(file_dialogs_OpenFolderDialogReplyBody,
    ({ folders }, client) => notEmpty(folders.map(found => folder(found, client)))),
  saveFileDialog: save(file_dialogs_SaveFileDialogReplyBody, (reply, client) => file(reply.file, client)),
  saveFolderDialog: save(file_dialogs_SaveFolderDialogReplyBody, (reply, client) => folder(reply.folder, client)),
}

const deviceFiles = {
  standardFileToDeviceFile: jsonCall(message(file_File, file)),
  standardFileToDeviceFolder: jsonCall(message(fs_FS, folder)),
  statStandardItem: jsonCall(message(file_StatsMsg, stats)),
}

export const shell = {
  ...calls('startAppWithParams getStartedCmd openDashboard openFile openFolder openInMounted openURL moveDevFSItemToTrash'),
  watchStartCmds: jsonObservable,
  getFSResource: ask(shell_fs_resource_GetFSResourceRequestBody,
    ([appDomain, resourceName]) => ({ appDomain: some(appDomain), resourceName }),
    message(shell_fs_resource_GetFSResourceReplyBody,
      (reply, client) => folder(reply.folder, client) ?? file(reply.file, client))),
  fileDialogs, deviceFiles,
  userNotifications: { ...calls('addNotification removeNotification'), watch: jsonObservable },
  clipboard: calls('readText writeText readHTML writeHTML readRTF writeRTF'),
  mounts: calls('mountFolder mountFile unmountPath unmountFolder unmountFile'),
}
