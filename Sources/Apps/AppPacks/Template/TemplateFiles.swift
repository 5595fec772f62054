extension AppTemplate {
    static func manifest(name: String, domain: String) -> String {
        """
        {
            "appDomain": "\(domain)",
            "version": "0.1.0",
            "name": \(name),
            "description": "Says hello, and counts",
            "components": {
                "/main.mjs": {
                    "runtime": "deno",
                    "startCmds": { "hello": {}, "count": {} },
                    "capsRequested": {
                        "logToPlatform": true,
                        "storage": { "appFS": [ { "domain": "\(domain)", "storage": "local" } ] }
                    }
                }
            },
            "launchers": [
                { "name": \(name), "component": "/main.mjs" }
            ]
        }

        """
    }

    static let script = """
        // All that this app may do is in `w3n`, as far as manifest.json asks for it and it was granted. Nothing else is there: no
        // network, no files of the computer, no other programs.

        // The commands of the app. manifest.json lists them under startCmds, and says there which apps may call them. You always may.
        const commands = {

            // alcove app run DOMAIN hello [NAME]
            async hello(name = 'world') {
                await say(`Hello, ${name}!`);
            },

            // alcove app run DOMAIN count
            async count() {
                // A folder of its own. What was written is there at the next start.
                const files = await w3n.storage.getAppLocalFS();
                const counted = await files.checkFilePresence('count.json') ? await files.readJSONFile('count.json') : { times: 0 };
                counted.times += 1;
                await files.writeJSONFile('count.json', counted);
                await say(counted.times === 1 ? 'You asked once.' : `You asked ${counted.times} times.`);
            },
        };

        // The terminal shows what a component logs as 'info'.
        function say(text) {
            return w3n.log('info', text);
        }

        // The command with which this component was started, and those that come while it runs.
        const waiting = [await w3n.shell.getStartedCmd() ?? { cmd: 'hello', params: [] }];
        w3n.shell.watchStartCmds({ next: (command) => waiting.push(command) });

        while (waiting.length > 0) {
            const { cmd, params } = waiting.shift();
            try {
                await commands[cmd](...params);
            } catch (error) {
                await w3n.log('error', `${cmd} failed`, error);
            }
        }

        // A component runs until it ends itself, or somebody stops it.
        await w3n.closeSelf();

        """

    static func readMe(name: String, domain: String) -> String {
        """
        # \(name)

        An app for Alcove. Install it, and run its commands:

            alcove app install .
            alcove app run \(domain) hello you
            alcove app run \(domain) count

        | file | what it is |
        |---|---|
        | `manifest.json` | the name of the app, its components, and what they ask for |
        | `main.mjs` | a component without a window: one script, without `import` |

        After a change, install it again; its data stays. With a new `version` in the manifest it is an update.

        What it may do, and taking that back:

            alcove app permissions \(domain)
            alcove app permissions \(domain) --revoke storage.app.local

        To give it to others, make a ZIP file of what is in this folder: `zip -r ../app.zip .`

        """
    }
}
