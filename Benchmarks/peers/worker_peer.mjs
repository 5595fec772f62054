// Round trips of messages between this thread and a worker of Node.js, or of Deno, which runs this file too: microseconds
// each, one line for each round. Deno also tells what an asynchronous operation of its own costs.
const rounds = 5, count = 5000;

const measure = async (trip) => {
    for (let index = 0; index < count; index++) await trip();
    for (let round = 0; round < rounds; round++) {
        const start = performance.now();
        for (let index = 0; index < count; index++) await trip();
        console.log((performance.now() - start) * 1000 / count);
    }
};

const source = typeof Deno === "object"
    ? "self.onmessage = ({ data }) => self.postMessage(data)"
    : "const { parentPort } = require('node:worker_threads'); parentPort.on('message', (data) => parentPort.postMessage(data))";

if (typeof Deno === "object" && Deno.args[0] === "op") {
    await measure(() => Deno.stat("/"));
} else if (typeof Deno === "object") {
    const worker = new Worker(`data:text/javascript,${encodeURIComponent(source)}`, { type: "module" });
    await measure(() => new Promise((done) => {
        worker.onmessage = done;
        worker.postMessage(new Uint8Array(64));
    }));
    worker.terminate();
} else {
    const { Worker } = await import("node:worker_threads");
    const worker = new Worker(source, { eval: true });
    await measure(() => new Promise((done) => {
        worker.once("message", done);
        worker.postMessage(new Uint8Array(64));
    }));
    await worker.terminate();
}
