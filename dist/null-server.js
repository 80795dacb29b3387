import { createServer } from "node:net";
const PROMPT_TOKENS = 1e3;
const WORD = " word";
const TOKEN_ID = 12345;
function tokenChunks(form, tokens) {
	return Array.from({ length: tokens }, (_, index) => {
		const count = index + 1;
		if (count < tokens) return httpChunk(event(form, count, false));
		const usage = {
			...envelope(form),
			choices: [],
			usage: usageOf(tokens)
		};
		const end = `${event(form, count, true)}data: ${JSON.stringify(usage)}\n\ndata: [DONE]\n\n`;
		return Buffer.concat([httpChunk(end), Buffer.from("0\r\n\r\n")]);
	});
}
function event(form, count, isLast) {
	const { endpoint, tokenIds, continuousUsage } = form;
	const choice = {
		index: 0,
		...endpoint === "chat" ? { delta: { content: WORD } } : { text: WORD },
		logprobs: null,
		finish_reason: isLast ? "length" : null,
		...tokenIds ? { token_ids: [TOKEN_ID] } : {}
	};
	const usage = continuousUsage ? { usage: usageOf(count) } : {};
	return `data: ${JSON.stringify({
		...envelope(form),
		choices: [choice],
		...usage
	})}\n\n`;
}
function envelope({ endpoint }) {
	const [id, object] = endpoint === "chat" ? ["chatcmpl", "chat.completion.chunk"] : ["cmpl", "text_completion"];
	return {
		id: `${id}-0123456789abcdef0123456789abcdef`,
		object,
		created: 17e8,
		model: "null"
	};
}
function usageOf(tokens) {
	return {
		prompt_tokens: PROMPT_TOKENS,
		total_tokens: PROMPT_TOKENS + tokens,
		completion_tokens: tokens
	};
}
function httpChunk(text) {
	return Buffer.from(`${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`);
}
const HEAD_END = Buffer.from("\r\n\r\n");
const LONGEST_HEAD = 65536;
var RequestFraming = class {
	#head = Buffer.alloc(0);
	#requestId = null;
	#left = null;
	push(bytes) {
		if (this.#left !== null) return this.#count(bytes.length);
		this.#head = this.#head.length === 0 ? bytes : Buffer.concat([this.#head, bytes]);
		const end = this.#head.indexOf(HEAD_END);
		if (end < 0) return this.#head.length > LONGEST_HEAD ? "refused" : null;
		const head = this.#head.toString("latin1", 0, end);
		const length = /^content-length: *(\d{1,12})\r?$/im.exec(head)?.[1];
		this.#requestId = /^x-request-id: *([\w-]{1,100})\r?$/im.exec(head)?.[1] ?? null;
		if (length === void 0 || this.#requestId === null) return "refused";
		this.#left = Number(length);
		const come = this.#head.length - end - HEAD_END.length;
		this.#head = Buffer.alloc(0);
		return this.#count(come);
	}
	#count(bytes) {
		this.#left = (this.#left ?? 0) - bytes;
		if (this.#left > 0) return null;
		if (this.#left < 0 || this.#requestId === null) return "refused";
		this.#left = null;
		return { requestId: this.#requestId };
	}
};
const WAIT_STEPS = 2;
const HEAD = Buffer.from("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream; charset=utf-8\r\ntransfer-encoding: chunked\r\n\r\n");
const NOT_FOUND = "HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
const nowUs = () => Number(process.hrtime.bigint() / 1000n);
var NullServer = class {
	#plan;
	#tokens = new Map();
	#chunks = new Map();
	#waiting = [];
	#running = [];
	#log = [];
	#step = 0;
	constructor(plan) {
		this.#plan = plan;
	}
	order(answers) {
		for (const [id, tokens] of answers) this.#tokens.set(id, tokens);
	}
	takeLog() {
		const log = this.#log;
		this.#log = [];
		return log;
	}
	listen() {
		const server = createServer({ noDelay: true }, (socket) => this.#serve(socket));
		this.#tick(performance.now());
		return new Promise((resolve, reject) => {
			server.once("error", reject);
			server.listen(0, "127.0.0.1", 4096, () => resolve(server.address().port));
		});
	}
	#tick(startMs) {
		const dueMs = startMs + (this.#step + 1) * this.#plan.stepMs;
		setTimeout(() => {
			if (performance.now() >= dueMs) this.#advance();
			this.#tick(startMs);
		}, dueMs - performance.now());
	}
	#advance() {
		this.#step += 1;
		const due = this.#waiting.filter(({ step }) => step <= this.#step);
		this.#waiting = this.#waiting.filter(({ step }) => step > this.#step);
		for (const { stream } of due) this.#running.push(stream);
		for (const stream of this.#running) this.#write(stream);
		this.#running = this.#running.filter(({ next, truth }) => next < truth.tokens);
	}
	#write(stream) {
		const { socket, truth } = stream;
		const chunk = this.#chunksOf(truth.tokens)[stream.next];
		const isFirst = stream.next === 0;
		stream.next += 1;
		const isLast = stream.next === truth.tokens;
		if (isFirst) truth.firstUs = nowUs();
		if (isLast) truth.lastUs = isFirst ? truth.firstUs : nowUs();
		if (chunk) socket.write(chunk);
		if (isLast) this.#log.push(truth);
	}
	#serve(socket) {
		const framing = new RequestFraming();
		socket.on("error", () => socket.destroy());
		socket.on("data", (bytes) => {
			const id = framing.push(bytes);
			if (id === null) return;
			const receivedUs = nowUs();
			const tokens = id === "refused" ? void 0 : this.#tokens.get(id.requestId);
			if (id === "refused" || tokens === void 0) return void socket.end(NOT_FOUND);
			socket.write(HEAD);
			const truth = {
				id: id.requestId,
				tokens,
				receivedUs,
				firstUs: 0,
				lastUs: 0
			};
			this.#waiting.push({
				stream: {
					socket,
					truth,
					next: 0
				},
				step: this.#step + WAIT_STEPS
			});
		});
	}
	#chunksOf(tokens) {
		const known = this.#chunks.get(tokens);
		if (known) return known;
		const made = tokenChunks(this.#plan.form, tokens);
		this.#chunks.set(tokens, made);
		return made;
	}
};
const reply = (said) => void process.send?.(said);
process.on("disconnect", () => process.exit());
const server = new NullServer(JSON.parse(process.argv[2] ?? ""));
process.on("message", (order) => {
	if ("ask" in order) return reply({ log: server.takeLog() });
	server.order(order.answers);
	reply({ accepted: order.answers.length });
});
reply({ port: await server.listen() });
export {};
