import { createServer } from "node:http";
import { randomBytes } from "node:crypto";
import { parseArgs } from "node:util";
var BlockPool = class {
	total;
	leaked = 0;
	evicted = 0;
	#free;
	#cached = new Map();
	#head = null;
	#tail = null;
	constructor(total) {
		this.total = total;
		this.#free = total;
		this.#appendAnonymous(total);
	}
	get free() {
		return this.#free;
	}
	get used() {
		return this.total - this.#free - this.leaked;
	}
	get cachedBlocks() {
		return this.#cached.size;
	}
	hits(keys, limit) {
		let count = 0;
		while (count < limit && this.#cached.has(keys[count])) count += 1;
		return count;
	}
	acquire(keys, hits, blocks) {
		let available = this.#free;
		for (let index = 0; index < hits; index += 1) if (this.#cached.get(keys[index]).refs === 0) available -= 1;
		if (blocks - hits > available) return null;
		const keyed = [];
		for (let index = 0; index < hits; index += 1) keyed.push(this.#hold(keys[index]));
		for (let index = hits; index < keys.length; index += 1) this.#register(keys[index], keyed);
		const anonymous = blocks - keyed.length;
		this.takeAnonymous(anonymous);
		return {
			keyed,
			anonymous
		};
	}
	#hold(key) {
		const entry = this.#cached.get(key);
		if (entry.refs === 0) {
			this.#unlink(entry);
			this.#free -= 1;
		}
		entry.refs += 1;
		return entry;
	}
	#register(key, keyed) {
		if (this.#cached.has(key)) return;
		this.takeAnonymous(1);
		const entry = {
			key,
			count: 1,
			refs: 1,
			previous: null,
			next: null
		};
		this.#cached.set(key, entry);
		keyed.push(entry);
	}
	takeAnonymous(blocks) {
		let left = blocks;
		while (left > 0) {
			const head = this.#head;
			if (head === null) throw new Error(`the block pool is short of ${left} blocks`);
			if (head.key !== null) {
				this.#cached.delete(head.key);
				this.evicted += 1;
			}
			const taken = Math.min(left, head.count);
			head.count -= taken;
			left -= taken;
			this.#free -= taken;
			if (head.count === 0) this.#unlink(head);
		}
	}
	release(holding, anonymous, forget) {
		this.#free += anonymous;
		this.#appendAnonymous(anonymous);
		for (let index = holding.keyed.length - 1; index >= 0; index -= 1) {
			const entry = holding.keyed[index];
			entry.refs -= 1;
			if (entry.refs > 0) continue;
			this.#free += 1;
			if (forget) {
				this.#cached.delete(entry.key);
				this.#appendAnonymous(1);
			} else this.#append(entry);
		}
	}
	leak(blocks) {
		this.leaked += blocks;
	}
	reset() {
		if (this.#free !== this.total) return false;
		this.#cached.clear();
		this.#head = null;
		this.#tail = null;
		this.#appendAnonymous(this.total);
		return true;
	}
	countQueue() {
		let count = 0;
		for (let entry = this.#head; entry !== null; entry = entry.next) count += entry.count;
		return count;
	}
	#appendAnonymous(count) {
		if (count === 0) return;
		if (this.#tail !== null && this.#tail.key === null) this.#tail.count += count;
		else this.#append({
			key: null,
			count,
			refs: 0,
			previous: null,
			next: null
		});
	}
	#append(entry) {
		entry.previous = this.#tail;
		entry.next = null;
		if (this.#tail === null) this.#head = entry;
		else this.#tail.next = entry;
		this.#tail = entry;
	}
	#unlink(entry) {
		if (entry.previous === null) this.#head = entry.next;
		else entry.previous.next = entry.next;
		if (entry.next === null) this.#tail = entry.previous;
		else entry.next.previous = entry.previous;
		entry.previous = null;
		entry.next = null;
	}
};
var DecodeBatch = class {
	#blockTokens;
	#crossings;
	#ending = new Map();
	#size = 0;
	#contextBase = 0;
	constructor(blockTokens) {
		this.#blockTokens = blockTokens;
		this.#crossings = new Int32Array(blockTokens);
	}
	get size() {
		return this.#size;
	}
	contextTokens(step) {
		return this.#contextBase + this.#size * step;
	}
	crossings(step) {
		return this.#crossings[step % this.#blockTokens];
	}
	join(sequence, finishStep) {
		this.#count(sequence, 1);
		sequence.finishStep = finishStep;
		const ending = this.#ending.get(finishStep);
		if (ending === void 0) this.#ending.set(finishStep, [sequence]);
		else ending.push(sequence);
	}
	leave(sequence) {
		this.#count(sequence, -1);
		sequence.finishStep = -1;
	}
	takeEnding(step) {
		const ending = this.#ending.get(step);
		if (ending === void 0) return null;
		this.#ending.delete(step);
		return ending;
	}
	#count(sequence, sign) {
		const offset = sequence.decodeFrom - sequence.prefillTarget;
		this.#size += sign;
		this.#contextBase -= sign * offset;
		const block = this.#blockTokens;
		const residue = ((offset + 1) % block + block) % block;
		this.#crossings[residue] = this.#crossings[residue] + sign;
	}
};
const QUIET = {
	seed: 1,
	speed: 1,
	jitter: 0,
	driftAmplitude: 0,
	driftPeriodSeconds: 120
};
const HEALTHY = {
	prefillFactor: 1,
	leakBlocksPerRequest: 0,
	growthPerStep: 0,
	growthPerSecond: 0,
	stallEverySteps: 0,
	stallUs: 0,
	cacheHits: true
};
const SMALL_ENGINE = {
	slots: 8,
	tokenBudget: 512,
	blockTokens: 16,
	kvBlocks: 1024,
	maxQueued: 64,
	maxModelLen: 4096,
	prefixCache: true,
	baseUs: 8e3,
	perPrefillTokenUs: 60,
	perDecodeSequenceUs: 100,
	perContextTokenUs: .1,
	perPrefillPairUs: 0
};
function parameterProblem(parameters) {
	for (const name of [
		"slots",
		"tokenBudget",
		"blockTokens",
		"kvBlocks",
		"maxModelLen"
	]) if (!Number.isSafeInteger(parameters[name]) || parameters[name] < 1) return `${name} must be a positive integer`;
	for (const name of [
		"baseUs",
		"perPrefillTokenUs",
		"perDecodeSequenceUs",
		"perContextTokenUs",
		"perPrefillPairUs"
	]) if (!Number.isFinite(parameters[name]) || parameters[name] < 0) return `${name} must be zero or more`;
	if (!(parameters.maxQueued >= 0)) return "maxQueued must be zero or more";
	if (parameters.tokenBudget <= parameters.slots) return "tokenBudget must be greater than slots";
	return null;
}
var PrefillBatch = class {
	#tokenBudget;
	#sequences = [];
	constructor(tokenBudget) {
		this.#tokenBudget = tokenBudget;
	}
	join(sequence) {
		this.#sequences.push(sequence);
	}
	leave(sequence) {
		this.#sequences = this.#sequences.filter((other) => other !== sequence);
	}
	scheduleAll(work) {
		for (const sequence of this.#sequences) this.schedule(sequence, work);
	}
	schedule(sequence, work) {
		const left = this.#tokenBudget - work.decodeSequences - work.prefillTokens;
		const tokens = Math.min(left, sequence.prefillTarget - sequence.computed);
		sequence.scheduled = tokens;
		work.prefillTokens += tokens;
		work.prefillPairs += tokens * sequence.computed + tokens * (tokens + 1) / 2;
	}
	advance(done) {
		let still = 0;
		for (const sequence of this.#sequences) {
			sequence.computed += sequence.scheduled;
			sequence.scheduled = 0;
			if (sequence.computed < sequence.prefillTarget) {
				this.#sequences[still] = sequence;
				still += 1;
			} else done.push(sequence);
		}
		this.#sequences.length = still;
	}
};
var RunningList = class {
	#oldest = null;
	#newest = null;
	#length = 0;
	get length() {
		return this.#length;
	}
	get newest() {
		return this.#newest;
	}
	enter(sequence) {
		sequence.older = this.#newest;
		sequence.newer = null;
		if (this.#newest === null) this.#oldest = sequence;
		else this.#newest.newer = sequence;
		this.#newest = sequence;
		this.#length += 1;
	}
	exit(sequence) {
		if (sequence.older === null) this.#oldest = sequence.newer;
		else sequence.older.newer = sequence.newer;
		if (sequence.newer === null) this.#newest = sequence.older;
		else sequence.newer.older = sequence.older;
		sequence.older = null;
		sequence.newer = null;
		this.#length -= 1;
	}
	collectDecoding(into) {
		for (let sequence = this.#oldest; sequence !== null; sequence = sequence.newer) if (sequence.state === "decode") into.push(sequence);
	}
};
function newSequence(request) {
	return {
		promptTokens: request.promptTokens,
		outputTokens: request.outputTokens,
		blockKeys: request.blockKeys,
		arrivalUs: request.arrivalUs,
		state: "waiting",
		generatedBefore: 0,
		prefillTarget: request.promptTokens,
		computed: 0,
		scheduled: 0,
		holding: null,
		decodeFrom: -1,
		finishStep: -1,
		preemptions: 0,
		cachedTokens: 0,
		admittedUs: -1,
		firstTokenUs: -1,
		lastTokenUs: -1,
		tokenSteps: [],
		older: null,
		newer: null
	};
}
function generatedBy(sequence, step) {
	if (sequence.state === "finished") return sequence.outputTokens;
	if (sequence.state !== "decode") return sequence.generatedBefore;
	return sequence.generatedBefore + 1 + step - sequence.decodeFrom;
}
function newCounters() {
	return {
		prefixQueries: 0,
		prefixHits: 0,
		promptTokens: 0,
		cachedPromptTokens: 0,
		generationTokens: 0,
		preemptions: 0,
		refused: 0,
		finished: 0
	};
}
function newOutcome() {
	return {
		step: 0,
		startUs: 0,
		endUs: 0,
		prefillTokens: 0,
		decodeSequences: 0,
		prefilled: [],
		finished: [],
		receivers: []
	};
}
const GOLDEN = 0x9e3779b9;
function mixSeed(...parts) {
	let hash = 608135816;
	for (const part of parts) {
		hash = scramble((hash ^ (part | 0)) + GOLDEN);
		hash = scramble(hash ^ Math.floor(part / 4294967296));
	}
	return hash >>> 0;
}
function scramble(value) {
	let mixed = value | 0;
	mixed = Math.imul(mixed ^ mixed >>> 16, 0x85ebca6b);
	mixed = Math.imul(mixed ^ mixed >>> 13, 0xc2b2ae35);
	return mixed ^ mixed >>> 16;
}
var SeededRandom = class {
	#state;
	constructor(seed) {
		this.#state = mixSeed(seed);
	}
	nextUint32() {
		this.#state = this.#state + GOLDEN | 0;
		return scramble(this.#state) >>> 0;
	}
	nextUnit() {
		return this.nextUint32() / 4294967296;
	}
	nextBell() {
		const first = this.nextUint32();
		const second = this.nextUint32();
		return ((first & 65535) + (first >>> 16) + (second & 65535) + (second >>> 16) - 131070) / 65536 * Math.sqrt(3);
	}
};
function drawBootSpeed(seed, spread) {
	return Math.max(.1, 1 + spread * new SeededRandom(mixSeed(seed, 45063)).nextBell());
}
function plainStepUs(parameters, work, prefillFactor) {
	return parameters.baseUs + prefillFactor * (parameters.perPrefillTokenUs * work.prefillTokens + parameters.perPrefillPairUs * work.prefillPairs) + parameters.perDecodeSequenceUs * work.decodeSequences + parameters.perContextTokenUs * work.contextTokens;
}
var StepTimer = class {
	#parameters;
	#noise;
	#random;
	#phase;
	#steps = 0;
	constructor(parameters, noise) {
		this.#parameters = parameters;
		this.#noise = noise;
		this.#random = new SeededRandom(mixSeed(noise.seed, 1));
		this.#phase = new SeededRandom(mixSeed(noise.seed, 2)).nextUnit();
	}
	durationUs(work, startUs, faults) {
		const noise = this.#noise;
		let factor = 1 / noise.speed;
		if (noise.jitter > 0) factor *= Math.max(.1, 1 + noise.jitter * this.#random.nextBell());
		if (noise.driftAmplitude > 0) factor *= 1 + noise.driftAmplitude * this.#swing(startUs);
		factor *= 1 + faults.growthPerStep * this.#steps + faults.growthPerSecond * startUs / 1e6;
		this.#steps += 1;
		return (faults.stallEverySteps > 0 && this.#steps % faults.stallEverySteps === 0 ? faults.stallUs : 0) + Math.max(1, Math.round(plainStepUs(this.#parameters, work, faults.prefillFactor) * factor));
	}
	#swing(atUs) {
		const turns = atUs / (this.#noise.driftPeriodSeconds * 1e6) + this.#phase;
		return 1 - 4 * Math.abs(turns - Math.floor(turns) - .5);
	}
};
var WaitingLine = class {
	#arrived = [];
	#next = 0;
	#preempted = [];
	#length = 0;
	get length() {
		return this.#length;
	}
	join(sequence) {
		this.#arrived.push(sequence);
		this.#length += 1;
	}
	rejoin(sequence) {
		this.#preempted.push(sequence);
		this.#length += 1;
	}
	leave() {
		this.#length -= 1;
	}
	first() {
		while (this.#preempted.at(-1)?.state === "aborted") this.#preempted.pop();
		const preempted = this.#preempted.at(-1);
		if (preempted !== void 0) return preempted;
		while (this.#arrived[this.#next]?.state === "aborted") this.#next += 1;
		return this.#arrived[this.#next] ?? null;
	}
	shift() {
		this.#length -= 1;
		if (this.#preempted.pop() !== void 0) return;
		this.#next += 1;
		if (this.#next > 1024 && this.#next * 2 > this.#arrived.length) {
			this.#arrived = this.#arrived.slice(this.#next);
			this.#next = 0;
		}
	}
};
var ReplicaModel = class {
	parameters;
	faults = { ...HEALTHY };
	pool;
	counters = newCounters();
	#timer;
	#collect;
	#waiting = new WaitingLine();
	#running = new RunningList();
	#batch;
	#prefills;
	#step = 0;
	#inStep = false;
	#aborts = [];
	#work = {
		prefillTokens: 0,
		prefillPairs: 0,
		decodeSequences: 0,
		contextTokens: 0
	};
	#outcome = newOutcome();
	constructor(parameters, noise, collectTokens = false) {
		const problem = parameterProblem(parameters);
		if (problem !== null) throw new RangeError(problem);
		this.parameters = parameters;
		this.pool = new BlockPool(parameters.kvBlocks);
		this.#batch = new DecodeBatch(parameters.blockTokens);
		this.#prefills = new PrefillBatch(parameters.tokenBudget);
		this.#timer = new StepTimer(parameters, noise);
		this.#collect = collectTokens;
	}
	get running() {
		return this.#running.length;
	}
	get waiting() {
		return this.#waiting.length;
	}
	get kvUsage() {
		return (this.pool.used + this.pool.leaked) / this.pool.total;
	}
	submit(sequence) {
		const tokens = sequence.promptTokens + sequence.outputTokens;
		const { maxModelLen, blockTokens, maxQueued } = this.parameters;
		if (tokens > maxModelLen || tokens > this.pool.total * blockTokens) return "too_long";
		if (this.#waiting.length >= maxQueued) {
			this.counters.refused += 1;
			return "refused";
		}
		this.#waiting.join(sequence);
		return "queued";
	}
	abort(sequence) {
		if (sequence.state === "finished" || sequence.state === "aborted") return;
		if (sequence.state === "waiting") {
			sequence.state = "aborted";
			this.#waiting.leave();
		} else if (this.#inStep) this.#aborts.push(sequence);
		else this.#remove(sequence, "aborted");
	}
	resetPrefixCache() {
		return this.#running.length === 0 && this.pool.reset();
	}
	beginStep(startUs) {
		if (this.#running.length === 0 && this.#waiting.length === 0) return -1;
		this.#step += 1;
		const preempted = this.#growDecodes();
		const work = this.#work;
		work.prefillTokens = 0;
		work.prefillPairs = 0;
		work.decodeSequences = this.#batch.size;
		work.contextTokens = this.#batch.contextTokens(this.#step);
		this.#prefills.scheduleAll(work);
		if (!preempted && this.#waiting.length > 0) this.#admitWaiting(startUs);
		if (work.prefillTokens === 0 && work.decodeSequences === 0) return preempted ? this.beginStep(startUs) : -1;
		this.#inStep = true;
		const outcome = this.#outcome;
		outcome.step = this.#step;
		outcome.startUs = startUs;
		outcome.endUs = startUs + this.#timer.durationUs(work, startUs, this.faults);
		outcome.prefillTokens = work.prefillTokens;
		outcome.decodeSequences = work.decodeSequences;
		return outcome.endUs;
	}
	finishStep() {
		const outcome = this.#outcome;
		outcome.prefilled.length = 0;
		outcome.finished.length = 0;
		outcome.receivers.length = 0;
		this.#inStep = false;
		this.counters.generationTokens += outcome.decodeSequences;
		if (this.#collect) this.#running.collectDecoding(outcome.receivers);
		if (outcome.prefillTokens > 0) this.#prefills.advance(outcome.prefilled);
		for (const sequence of outcome.prefilled) this.#startDecode(sequence, outcome);
		const ending = this.#batch.takeEnding(this.#step);
		if (ending !== null) this.#endDecodes(ending, outcome);
		if (this.#aborts.length > 0) this.#applyAborts();
		return outcome;
	}
	#growDecodes() {
		let preempted = false;
		let needed = this.#batch.crossings(this.#step);
		while (needed > this.pool.free) {
			this.#preempt(this.#running.newest);
			preempted = true;
			needed = this.#batch.crossings(this.#step);
		}
		this.pool.takeAnonymous(needed);
		return preempted;
	}
	#admitWaiting(nowUs) {
		const work = this.#work;
		const budget = this.parameters.tokenBudget - work.decodeSequences;
		while (this.#running.length < this.parameters.slots && work.prefillTokens < budget) {
			const sequence = this.#waiting.first();
			if (sequence === null || !this.#admit(sequence, nowUs)) return;
			this.#prefills.schedule(sequence, work);
		}
	}
	#admit(sequence, nowUs) {
		const block = this.parameters.blockTokens;
		const keys = this.parameters.prefixCache ? sequence.blockKeys : [];
		const blocks = Math.ceil(sequence.prefillTarget / block);
		if (blocks - keys.length > this.pool.free) return false;
		const limit = Math.min(keys.length, Math.floor((sequence.prefillTarget - 1) / block));
		const hits = this.faults.cacheHits ? this.pool.hits(keys, limit) : 0;
		const holding = this.pool.acquire(keys, hits, blocks);
		if (holding === null) return false;
		this.#waiting.shift();
		sequence.holding = holding;
		sequence.computed = hits * block;
		sequence.state = "prefill";
		if (sequence.admittedUs < 0) {
			sequence.admittedUs = nowUs;
			sequence.cachedTokens = sequence.computed;
			if (this.parameters.prefixCache) this.counters.prefixQueries += sequence.promptTokens;
			this.counters.prefixHits += sequence.computed;
		}
		this.#prefills.join(sequence);
		this.#running.enter(sequence);
		return true;
	}
	#startDecode(sequence, outcome) {
		sequence.state = "decode";
		sequence.decodeFrom = this.#step;
		sequence.lastTokenUs = outcome.endUs;
		sequence.tokenSteps.push(this.#step, -1);
		this.counters.generationTokens += 1;
		if (sequence.firstTokenUs < 0) {
			sequence.firstTokenUs = outcome.endUs;
			this.counters.promptTokens += sequence.promptTokens;
			this.counters.cachedPromptTokens += sequence.cachedTokens;
		}
		if (this.#collect) outcome.receivers.push(sequence);
		this.#batch.join(sequence, this.#step + sequence.outputTokens - sequence.generatedBefore - 1);
	}
	#endDecodes(ending, outcome) {
		for (const sequence of ending) {
			if (sequence.state !== "decode" || sequence.finishStep !== this.#step) continue;
			sequence.lastTokenUs = outcome.endUs;
			this.counters.finished += 1;
			this.#remove(sequence, "finished");
			outcome.finished.push(sequence);
		}
	}
	#applyAborts() {
		for (const sequence of this.#aborts) if (sequence.state !== "finished") this.#remove(sequence, "aborted");
		this.#aborts = [];
	}
	#preempt(sequence) {
		const generated = generatedBy(sequence, this.#step - 1);
		this.#giveBack(sequence, this.#step - 1, true);
		sequence.state = "waiting";
		sequence.generatedBefore = generated;
		sequence.prefillTarget = sequence.promptTokens + generated;
		sequence.computed = 0;
		sequence.scheduled = 0;
		sequence.preemptions += 1;
		this.counters.preemptions += 1;
		this.#waiting.rejoin(sequence);
	}
	#remove(sequence, state) {
		this.#giveBack(sequence, this.#step, false);
		sequence.state = state;
	}
	#giveBack(sequence, step, forget) {
		const holding = sequence.holding;
		if (holding === null) return;
		let anonymous = holding.anonymous;
		if (sequence.state === "decode") {
			const block = this.parameters.blockTokens;
			anonymous = Math.ceil((sequence.prefillTarget + step - sequence.decodeFrom) / block) - holding.keyed.length;
			sequence.tokenSteps[sequence.tokenSteps.length - 1] = step;
			this.#batch.leave(sequence);
		} else this.#prefills.leave(sequence);
		const leaked = forget ? 0 : Math.min(anonymous, this.faults.leakBlocksPerRequest);
		this.pool.leak(leaked);
		this.pool.release(holding, anonymous - leaked, forget);
		sequence.holding = null;
		this.#running.exit(sequence);
	}
};
function errorBody(answer) {
	const { message, type, param, status } = answer;
	return JSON.stringify({ error: {
		message,
		type,
		param,
		code: status
	} });
}
function badRequest(message, param, value) {
	return {
		status: 400,
		message: `${message}${param === null ? "" : value === void 0 ? ` (parameter=${param})` : ` (parameter=${param}, value=${String(value)})`}`,
		type: "BadRequestError",
		param
	};
}
function malformed(type, location, message) {
	return {
		status: 400,
		message: `1 validation error:\n  ${`{'type': '${type}', 'loc': '${location}', 'msg': '${message}'}`}`,
		type: "Bad Request",
		param: location
	};
}
const BUSY = {
	status: 503,
	message: "The engine is currently busy and cannot accept new requests. Please try again later or on a different instance.",
	type: "Service Unavailable",
	param: null
};
const TOO_MANY = {
	status: 429,
	message: "Too many requests. Please try again later.",
	type: "Too Many Requests",
	param: null
};
const ENGINE_FAILED = {
	status: 500,
	message: "The engine encountered an issue. See the log for the root cause.",
	type: "InternalServerError",
	param: null
};
function unknownModel(asked, served) {
	return {
		status: 404,
		message: `The model \`${asked}\` does not exist. Valid aliases: ${served}.`,
		type: "NotFoundError",
		param: "model"
	};
}
var Histogram = class {
	bounds;
	counts;
	sum = 0;
	count = 0;
	constructor(bounds) {
		this.bounds = bounds;
		this.counts = new Array(bounds.length).fill(0);
	}
	observe(value, times = 1) {
		if (times === 0) return;
		this.sum += value * times;
		this.count += times;
		const index = this.bounds.findIndex((bound) => value <= bound);
		if (index >= 0) this.counts[index] = this.counts[index] + times;
	}
};
var MetricPage = class {
	#createdSeconds;
	#text = "";
	constructor(createdSeconds) {
		this.#createdSeconds = createdSeconds;
	}
	toString() {
		return this.#text;
	}
	gauge(name, help, series) {
		this.#head(name, help, "gauge");
		for (const [labels, value] of series) this.#line(name, labels, value);
	}
	processCounter(name, help, value) {
		this.#head(name, help, "counter");
		this.#line(name, {}, value);
	}
	counter(name, help, series) {
		this.#head(`${name}_total`, help, "counter");
		for (const [labels, value] of series) this.#line(`${name}_total`, labels, value);
		this.#created(name, help, series.map(([labels]) => labels));
	}
	histogram(name, help, labels, histogram) {
		this.#head(name, help, "histogram");
		let cumulative = 0;
		histogram.bounds.forEach((bound, index) => {
			cumulative += histogram.counts[index];
			this.#line(`${name}_bucket`, {
				...labels,
				le: decimal(bound)
			}, cumulative);
		});
		this.#line(`${name}_bucket`, {
			...labels,
			le: "+Inf"
		}, histogram.count);
		this.#line(`${name}_count`, labels, histogram.count);
		this.#line(`${name}_sum`, labels, histogram.sum);
		this.#created(name, help, [labels]);
	}
	#created(name, help, series) {
		this.#head(`${name}_created`, help, "gauge");
		for (const labels of series) this.#line(`${name}_created`, labels, this.#createdSeconds);
	}
	#head(name, help, type) {
		this.#text += `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`;
	}
	#line(name, labels, value) {
		const pairs = Object.keys(labels).sort().map((label) => `${label}="${escapeLabel(labels[label])}"`);
		this.#text += `${name}${pairs.length === 0 ? "" : `{${pairs.join(",")}}`} ${decimal(value)}\n`;
	}
};
function decimal(value) {
	return Number.isInteger(value) ? `${value}.0` : String(value);
}
function escapeLabel(value) {
	return value.replaceAll("\\", "\\\\").replaceAll("\"", "\\\"").replaceAll("\n", "\\n");
}
const GAP_BOUNDS = [
	.01,
	.025,
	.05,
	.075,
	.1,
	.15,
	.2,
	.3,
	.4,
	.5,
	.75,
	1,
	2.5,
	5,
	7.5,
	10,
	20,
	40,
	80
];
const FIRST_TOKEN_BOUNDS = [
	.001,
	.005,
	.01,
	.02,
	.04,
	.06,
	.08,
	.1,
	.25,
	.5,
	.75,
	1,
	2.5,
	5,
	7.5,
	10,
	20,
	40,
	80,
	160,
	640,
	2560
];
const PHASE_BOUNDS = [
	.3,
	.5,
	.8,
	1,
	1.5,
	2,
	2.5,
	5,
	10,
	15,
	20,
	30,
	40,
	50,
	60,
	120,
	240,
	480,
	960,
	1920,
	7680
];
const STEP_BOUNDS = [
	1,
	8,
	16,
	32,
	64,
	128,
	256,
	512,
	1024,
	2048,
	4096,
	8192,
	16384
];
const PREEMPTION_BOUNDS = [
	1,
	2,
	3,
	4,
	5,
	10,
	20
];
const CHOICE_BOUNDS = [
	1,
	2,
	5,
	10,
	20
];
function tokenBounds(maxModelLen) {
	const bounds = [];
	for (let scale = 1; scale <= maxModelLen; scale *= 10) bounds.push(scale, scale * 2, scale * 5);
	return bounds.filter((bound) => bound <= maxModelLen);
}
const HISTOGRAMS = [
	[
		"request_prompt_tokens",
		"Number of prefill tokens processed.",
		"tokens"
	],
	[
		"request_generation_tokens",
		"Number of generation tokens processed.",
		"tokens"
	],
	[
		"iteration_tokens_total",
		"Histogram of number of tokens per engine_step.",
		STEP_BOUNDS
	],
	[
		"request_max_num_generation_tokens",
		"Histogram of maximum number of requested generation tokens.",
		"tokens"
	],
	[
		"request_params_n",
		"Histogram of the n request parameter.",
		CHOICE_BOUNDS
	],
	[
		"request_params_max_tokens",
		"Histogram of the max_tokens request parameter.",
		"tokens"
	],
	[
		"time_to_first_token_seconds",
		"Histogram of time to first token in seconds.",
		FIRST_TOKEN_BOUNDS
	],
	[
		"inter_token_latency_seconds",
		"Histogram of inter-token latency in seconds.",
		GAP_BOUNDS
	],
	[
		"request_time_per_output_token_seconds",
		"Histogram of time_per_output_token_seconds per request.",
		GAP_BOUNDS
	],
	[
		"e2e_request_latency_seconds",
		"Histogram of e2e request latency in seconds.",
		PHASE_BOUNDS
	],
	[
		"request_queue_time_seconds",
		"Histogram of time spent in WAITING phase for request.",
		PHASE_BOUNDS
	],
	[
		"request_inference_time_seconds",
		"Histogram of time spent in RUNNING phase for request.",
		PHASE_BOUNDS
	],
	[
		"request_prefill_time_seconds",
		"Histogram of time spent in PREFILL phase for request.",
		PHASE_BOUNDS
	],
	[
		"request_decode_time_seconds",
		"Histogram of time spent in DECODE phase for request.",
		PHASE_BOUNDS
	],
	[
		"request_num_preemptions",
		"Histogram of the number of times a request was preempted.",
		PREEMPTION_BOUNDS
	],
	[
		"request_prefill_kv_computed_tokens",
		"Histogram of new KV tokens computed during prefill (excluding cached tokens).",
		"tokens"
	]
];
var EngineMetrics = class {
	#model;
	#modelId;
	#createdSeconds;
	#histograms = new Map();
	#finished = {
		stop: 0,
		length: 0,
		abort: 0,
		error: 0,
		repetition: 0
	};
	#maxTokens = new WeakMap();
	constructor(model, modelId, createdSeconds) {
		this.#model = model;
		this.#modelId = modelId;
		this.#createdSeconds = createdSeconds;
		const tokens = tokenBounds(model.parameters.maxModelLen);
		for (const [name, , bounds] of HISTOGRAMS) this.#histograms.set(name, new Histogram(bounds === "tokens" ? tokens : bounds));
	}
	expect(sequence, maxTokens, finishReason) {
		this.#maxTokens.set(sequence, {
			maxTokens,
			finishReason
		});
	}
	observeStep(outcome) {
		const tokens = outcome.prefillTokens + outcome.decodeSequences;
		this.#observe("iteration_tokens_total", tokens);
		this.#observe("inter_token_latency_seconds", (outcome.endUs - outcome.startUs) / 1e6, outcome.decodeSequences);
		for (const sequence of outcome.prefilled) {
			if (sequence.preemptions > 0) continue;
			this.#observe("time_to_first_token_seconds", (outcome.endUs - sequence.arrivalUs) / 1e6);
		}
		for (const sequence of outcome.finished) this.#observeFinished(sequence);
	}
	#observe(name, value, times = 1) {
		this.#histograms.get(name).observe(value, times);
	}
	#observeFinished(sequence) {
		const asked = this.#maxTokens.get(sequence) ?? {
			maxTokens: sequence.outputTokens,
			finishReason: "length"
		};
		this.#finished[asked.finishReason] = (this.#finished[asked.finishReason] ?? 0) + 1;
		const { arrivalUs, admittedUs, firstTokenUs, lastTokenUs, outputTokens, promptTokens } = sequence;
		this.#observe("request_prompt_tokens", promptTokens);
		this.#observe("request_generation_tokens", outputTokens);
		this.#observe("request_max_num_generation_tokens", outputTokens);
		this.#observe("request_params_n", 1);
		this.#observe("request_params_max_tokens", asked.maxTokens);
		this.#observe("request_num_preemptions", sequence.preemptions);
		this.#observe("request_prefill_kv_computed_tokens", promptTokens - sequence.cachedTokens);
		const gaps = Math.max(1, outputTokens - 1);
		this.#observe("request_time_per_output_token_seconds", (lastTokenUs - firstTokenUs) / gaps / 1e6);
		this.#observe("e2e_request_latency_seconds", (lastTokenUs - arrivalUs) / 1e6);
		this.#observe("request_queue_time_seconds", (admittedUs - arrivalUs) / 1e6);
		this.#observe("request_inference_time_seconds", (lastTokenUs - admittedUs) / 1e6);
		this.#observe("request_prefill_time_seconds", (firstTokenUs - admittedUs) / 1e6);
		this.#observe("request_decode_time_seconds", (lastTokenUs - firstTokenUs) / 1e6);
	}
	render() {
		const page = new MetricPage(this.#createdSeconds);
		const labels = {
			engine: "0",
			model_name: this.#modelId
		};
		this.#renderGauges(page, labels);
		this.#renderCacheCounters(page, labels);
		this.#renderTokenCounters(page, labels);
		for (const [name, help] of HISTOGRAMS) page.histogram(`vllm:${name}`, help, labels, this.#histograms.get(name));
		const { blockTokens, kvBlocks, prefixCache } = this.#model.parameters;
		const info = {
			engine: "0",
			block_size: String(blockTokens),
			num_gpu_blocks: String(kvBlocks),
			kv_cache_size_tokens: String(blockTokens * kvBlocks),
			enable_prefix_caching: prefixCache ? "True" : "False",
			cache_dtype: "auto"
		};
		page.gauge("vllm:cache_config_info", "Information of the LLMEngine CacheConfig", [[info, 1]]);
		return page.toString();
	}
	#renderGauges(page, labels) {
		const { running, waiting, kvUsage } = this.#model;
		const memory = process.memoryUsage.rss();
		page.gauge("process_resident_memory_bytes", "Resident memory size in bytes.", [[{}, memory]]);
		const { user, system } = process.cpuUsage();
		page.processCounter("process_cpu_seconds_total", "Total user and system CPU time spent in seconds.", (user + system) / 1e6);
		page.gauge("process_start_time_seconds", "Start time of the process since unix epoch in seconds.", [[{}, this.#createdSeconds]]);
		page.gauge("vllm:num_requests_running", "Number of requests in model execution batches.", [[labels, running]]);
		page.gauge("vllm:num_requests_waiting", "Number of requests waiting to be processed.", [[labels, waiting]]);
		page.gauge("vllm:num_requests_waiting_by_reason", "Number of waiting requests by reason.", [[{
			...labels,
			reason: "capacity"
		}, waiting], [{
			...labels,
			reason: "deferred"
		}, 0]]);
		page.gauge("vllm:engine_sleep_state", "Engine sleep state; awake = 1 means engine is awake.", [
			[{
				...labels,
				sleep_state: "awake"
			}, 1],
			[{
				...labels,
				sleep_state: "weights_offloaded"
			}, 0],
			[{
				...labels,
				sleep_state: "discard_all"
			}, 0]
		]);
		page.gauge("vllm:kv_cache_usage_perc", "KV-cache usage. 1 means 100 percent usage.", [[labels, kvUsage]]);
	}
	#renderCacheCounters(page, labels) {
		const { prefixQueries, prefixHits, preemptions } = this.#model.counters;
		const inTokens = (what) => `Prefix cache ${what}, in terms of number of tokens.`;
		page.counter("vllm:prefix_cache_queries", inTokens("queries"), [[labels, prefixQueries]]);
		page.counter("vllm:prefix_cache_hits", inTokens("hits"), [[labels, prefixHits]]);
		page.counter("vllm:external_prefix_cache_queries", `External ${inTokens("queries")}`, [[labels, 0]]);
		page.counter("vllm:external_prefix_cache_hits", `External ${inTokens("hits")}`, [[labels, 0]]);
		page.counter("vllm:num_preemptions", "Cumulative number of preemption from the engine.", [[labels, preemptions]]);
	}
	#renderTokenCounters(page, labels) {
		const { promptTokens, cachedPromptTokens, generationTokens, refused } = this.#model.counters;
		page.counter("vllm:prompt_tokens", "Number of prefill tokens processed.", [[labels, promptTokens]]);
		page.counter("vllm:prompt_tokens_by_source", "Number of prompt tokens by source.", [
			[{
				...labels,
				source: "local_compute"
			}, promptTokens - cachedPromptTokens],
			[{
				...labels,
				source: "local_cache_hit"
			}, cachedPromptTokens],
			[{
				...labels,
				source: "external_kv_transfer"
			}, 0]
		]);
		page.counter("vllm:prompt_tokens_cached", "Number of cached prompt tokens (local + external).", [[labels, cachedPromptTokens]]);
		page.counter("vllm:generation_tokens", "Number of generation tokens processed.", [[labels, generationTokens]]);
		const successes = Object.entries(this.#finished).map(([reason, count]) => [{
			...labels,
			finished_reason: reason
		}, count]);
		page.counter("vllm:request_success", "Count of successfully processed requests.", successes);
		const model = { model_name: this.#modelId };
		page.counter("vllm:admission_rejections", "Number of admission attempts rejected by a queue limit, by reason.", [[{
			...model,
			reason: "max_num_queued_reqs"
		}, refused], [{
			...model,
			reason: "max_num_queued_tokens"
		}, 0]]);
	}
};
const NO_FAULTS = {
	crash_after_requests: 0,
	crash_after_seconds: 0,
	crash_exit_code: 134,
	hang_after_requests: -1,
	slow_start_seconds: 0,
	stall_after_requests: 0,
	stall_seconds: 0,
	cut_share: 0,
	error_share: 0,
	short_by: 0,
	short_share: 1,
	reject_share: 0,
	reject_status: 503,
	version: "",
	leak_blocks_per_request: 0,
	growth_per_step: 0,
	growth_per_second: 0,
	cache_off_after_requests: -1,
	prefill_factor: 1,
	close_connections: 0,
	html: 0
};
function withFaults(settings, changes) {
	const next = { ...settings };
	for (const [name, value] of Object.entries(changes)) {
		if (!Object.hasOwn(NO_FAULTS, name)) return `unknown fault ${name}; known: ${Object.keys(NO_FAULTS).join(", ")}`;
		if (name === "version") {
			next[name] = String(value);
			continue;
		}
		const number = typeof value === "boolean" ? Number(value) : typeof value === "string" ? parseNumber(value) : value;
		if (typeof number !== "number" || !Number.isFinite(number)) return `fault ${name} needs a number`;
		next[name] = number;
	}
	return next;
}
function parseNumber(text) {
	return text.trim() === "" ? NaN : Number(text);
}
function parseFaultFlags(flags) {
	const changes = {};
	for (const flag of flags) {
		const split = flag.indexOf("=");
		if (split < 1) return `fault ${flag} is not of the form name=value`;
		changes[flag.slice(0, split)] = flag.slice(split + 1);
	}
	return withFaults(NO_FAULTS, changes);
}
var FaultPlan = class {
	#seed;
	#settings;
	#count = 0;
	#stalled = false;
	constructor(settings, seed) {
		this.#settings = settings;
		this.#seed = seed;
	}
	get settings() {
		return this.#settings;
	}
	change(changes) {
		const { clear, ...rest } = changes;
		const next = withFaults(clear === true ? NO_FAULTS : this.#settings, rest);
		if (typeof next === "string") return next;
		this.#settings = next;
		this.#count = 0;
		this.#stalled = false;
		return next;
	}
	takeImmediateStall() {
		const due = this.#settings.stall_seconds > 0 && this.#settings.stall_after_requests === 0 && !this.#stalled;
		if (due) this.#stalled = true;
		return due;
	}
	next() {
		const settings = this.#settings;
		this.#count += 1;
		const stalls = settings.stall_seconds > 0 && !this.#stalled && this.#count >= settings.stall_after_requests;
		if (stalls) this.#stalled = true;
		const { cache_off_after_requests: cacheOffAfter, hang_after_requests: hangAfter } = settings;
		return {
			crash: settings.crash_after_requests > 0 && this.#count >= settings.crash_after_requests,
			stallSeconds: stalls ? settings.stall_seconds : 0,
			rejectStatus: this.#drawn("reject", settings.reject_share) ? settings.reject_status : null,
			hang: hangAfter >= 0 && this.#count > hangAfter,
			html: settings.html > 0,
			shortBy: this.#drawn("short", settings.short_share) ? settings.short_by : 0,
			breaks: this.#breaks(),
			cacheHits: cacheOffAfter < 0 || this.#count <= cacheOffAfter
		};
	}
	#breaks() {
		if (this.#drawn("cut", this.#settings.cut_share)) return "cut";
		return this.#drawn("error", this.#settings.error_share) ? "error" : null;
	}
	#drawn(kind, share) {
		const salt = kind.charCodeAt(0) * 256 + kind.length;
		return mixSeed(this.#seed, salt, this.#count) / 4294967296 < share;
	}
};
const LOW_BITS = 2097152;
function keysOfTokens(tokens, blockTokens, salt) {
	const blocks = Math.floor(tokens.length / blockTokens);
	let low = hashText(salt, 625341585);
	let high = hashText(salt, 0x6c8e9cf5);
	const keys = new Array(blocks);
	for (let block = 0; block < blocks; block += 1) {
		const end = (block + 1) * blockTokens;
		for (let index = block * blockTokens; index < end; index += 1) {
			const token = tokens[index];
			low = Math.imul(low ^ token, 16777619) + (low >>> 15);
			high = Math.imul((high ^ token) + 0x7f4a7c15, 0x85ebca6b) ^ high >>> 13;
		}
		keys[block] = (low >>> 0) * LOW_BITS + mixSeed(high) % LOW_BITS;
	}
	return keys;
}
function hashText(text, start) {
	let hash = start;
	for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 16777619);
	return hash;
}
const DONE_FRAME = "data: [DONE]\n\n";
function errorFrame(error) {
	return `data: ${errorBody(error)}\n\n`;
}
var AnswerFrames = class {
	#request;
	#identity;
	#envelope;
	#given = 0;
	#heldText = "";
	#heldIds = [];
	constructor(request, identity) {
		this.#request = request;
		this.#identity = identity;
		const kind = request.chat ? request.stream ? "chat.completion.chunk" : "chat.completion" : "text_completion";
		const model = JSON.stringify(identity.modelId);
		const id = JSON.stringify(identity.id);
		this.#envelope = `{"id":${id},"object":"${kind}","created":${identity.created},"model":${model},"choices":`;
	}
	get given() {
		return this.#given;
	}
	token(last) {
		const token = this.#identity.vocabulary.tokenOf(this.#request.answerSeed, this.#given);
		const first = this.#given === 0;
		this.#given += 1;
		const every = this.#identity.splitCharacterEvery;
		const text = every > 0 && this.#given % every === 0 ? "" : this.#identity.vocabulary.textOf(token);
		this.#heldText += text;
		if (this.#request.returnTokenIds) this.#heldIds.push(token);
		if (!this.#request.stream) return "";
		if (!first && !last && (this.#given - 1) % this.#request.streamInterval !== 0) return "";
		const frame = this.#request.chat ? this.#chatFrame(first, last) : this.#completionFrame(first, last);
		this.#heldText = "";
		this.#heldIds = [];
		return frame;
	}
	ending(cachedTokens) {
		const { includeUsage, chat } = this.#request;
		if (!includeUsage) return DONE_FRAME;
		const details = `{"cached_tokens":${cachedTokens}${chat ? ",\"created_cache_tokens\":0" : ""}}`;
		const usage = `"usage":{${this.#counts()},"prompt_tokens_details":${details}}`;
		return `data: ${this.#envelope}[],${usage},"system_fingerprint":"${this.#identity.fingerprint}"}\n\n${DONE_FRAME}`;
	}
	body(cachedTokens) {
		const { chat, finishReason, returnTokenIds, promptTokens } = this.#request;
		const text = JSON.stringify(this.#heldText);
		const ids = returnTokenIds ? `[${this.#heldIds.join(",")}]` : "null";
		const promptIds = returnTokenIds ? `[${promptTokens.join(",")}]` : "null";
		const finish = `"logprobs":null,"finish_reason":"${finishReason}","stop_reason":null,"token_ids":${ids}`;
		const details = `{"cached_tokens":${cachedTokens},"created_cache_tokens":${chat ? "0" : "null"},"multimodal_tokens":null}`;
		const usage = `{${this.#counts()},"prompt_tokens_details":${details},"completion_tokens_details":null}`;
		const system = `"service_tier":null,"system_fingerprint":"${this.#identity.fingerprint}","usage":${usage}`;
		const tail = "\"kv_transfer_params\":null,\"ec_transfer_params\":null,\"metrics\":null}";
		if (!chat) {
			const extra = `"prompt_logprobs":null,"prompt_token_ids":${promptIds},"routed_experts":null`;
			return `${this.#envelope}[{"index":0,"text":${text},${finish},${extra}}],${system},${tail}`;
		}
		const message = `{"role":"assistant","content":${text},"refusal":null,"annotations":null,"audio":null,"function_call":null,"reasoning":null}`;
		const prompt = `"prompt_logprobs":null,"prompt_token_ids":${promptIds},"prompt_text":null`;
		return `${this.#envelope}[{"index":0,"message":${message},${finish},"routed_experts":null}],${system},${prompt},${tail}`;
	}
	#counts() {
		const prompt = this.#request.promptTokens.length;
		return `"prompt_tokens":${prompt},"total_tokens":${prompt + this.#given},"completion_tokens":${this.#given}`;
	}
	#completionFrame(first, last) {
		const { returnTokenIds, promptTokens, continuousUsage, finishReason } = this.#request;
		const finish = last ? `"${finishReason}"` : "null";
		const tokens = `"prompt_token_ids":${returnTokenIds && first ? `[${promptTokens.join(",")}]` : "null"},"token_ids":${returnTokenIds ? `[${this.#heldIds.join(",")}]` : "null"}`;
		const usage = continuousUsage ? `,"usage":{${this.#counts()}}` : "";
		const reasons = `"logprobs":null,"finish_reason":${finish},"stop_reason":null`;
		return `data: ${this.#envelope}[{"index":0,"text":"${this.#heldText}",${reasons},${tokens}}]${usage}}\n\n`;
	}
	#chatFrame(first, last) {
		const { returnTokenIds, continuousUsage, finishReason } = this.#request;
		const finish = last ? `"${finishReason}","stop_reason":null` : "null";
		const ids = returnTokenIds ? `[${this.#heldIds.join(",")}]` : "null";
		const usage = continuousUsage ? `,"usage":{${this.#counts()},"completion_tokens_details":null}` : "";
		const choice = `"delta":{"content":"${this.#heldText}"},"logprobs":null,"finish_reason":${finish},"token_ids":${ids}`;
		return `${first ? this.#roleFrame() : ""}data: ${this.#envelope}[{"index":0,${choice}}]${usage}}\n\n`;
	}
	#roleFrame() {
		const { returnTokenIds, continuousUsage, promptTokens } = this.#request;
		const prompt = promptTokens.length;
		const counts = `"prompt_tokens":${prompt},"total_tokens":${prompt},"completion_tokens":0`;
		const usage = continuousUsage ? `,"usage":{${counts},"completion_tokens_details":null}` : "";
		const promptIds = returnTokenIds ? `[${promptTokens.join(",")}]` : "null";
		return `data: ${this.#envelope}[{"index":0,"delta":{"role":"assistant","content":""},"logprobs":null,"finish_reason":null}]${usage},"prompt_token_ids":${promptIds},"prompt_text":null}\n\n`;
	}
};
function readGeneration(text, chat, rules) {
	if (text.length === 0) return malformed("missing", "body", "Field required");
	let body;
	try {
		body = JSON.parse(text);
	} catch {
		return malformed("json_invalid", `body.${text.length}`, "JSON decode error");
	}
	if (typeof body !== "object" || body === null || Array.isArray(body)) return malformed("model_attributes_type", "body", "Input should be a valid dictionary");
	const fields = body;
	const asked = fields["model"];
	if (asked !== void 0 && asked !== rules.modelId) return unknownModel(String(asked), rules.modelId);
	const problem = typeProblem(fields) ?? valueProblem(fields, rules);
	if (problem !== null) return problem;
	const prompt = chat ? readMessages(fields, rules) : readPrompt(fields, rules);
	if (!Array.isArray(prompt)) return prompt;
	return shapeRequest(fields, chat, prompt, rules);
}
function typeProblem(fields) {
	for (const name of [
		"max_tokens",
		"max_completion_tokens",
		"min_tokens",
		"n",
		"stream_interval",
		"seed"
	]) {
		const value = fields[name];
		if (value === void 0 || value === null || Number.isSafeInteger(value)) continue;
		return malformed("int_parsing", `body.${name}`, "Input should be a valid integer");
	}
	for (const name of [
		"stream",
		"ignore_eos",
		"return_token_ids"
	]) {
		const value = fields[name];
		if (value === void 0 || value === null || typeof value === "boolean") continue;
		return malformed("bool_type", `body.${name}`, "Input should be a valid boolean");
	}
	return null;
}
function valueProblem(fields, rules) {
	const max = maxTokensOf(fields);
	if (max !== null && max < 1) return badRequest(`max_tokens must be at least 1, got ${max}.`, "max_tokens", max);
	if (max !== null && max > rules.maxModelLen) return badRequest(`${`max_tokens=${max} cannot be greater than max_model_len=${rules.maxModelLen}.`} Please request fewer output tokens.`, "max_tokens", max);
	const min = Number(fields["min_tokens"] ?? 0);
	if (max !== null && min > max) return badRequest(`min_tokens must be less than or equal to max_tokens=${max}, got ${min}.`, null);
	const temperature = Number(fields["temperature"] ?? 1);
	if (temperature < 0) return badRequest("temperature must be non-negative.", "temperature", temperature);
	if (fields["cache_salt"] === "") return badRequest("Parameter 'cache_salt' must be a non-empty string if provided.", "cache_salt");
	if (isGiven(fields["stream_options"]) && fields["stream"] !== true) return badRequest("Stream options can only be defined when `stream=True`.", "stream_options");
	const n = Number(fields["n"] ?? 1);
	if (n !== 1) return badRequest(n < 1 ? `n must be at least 1, got ${n}.` : "Only n=1 is supported.", null);
	return null;
}
function isGiven(value) {
	return value !== void 0 && value !== null;
}
function maxTokensOf(fields) {
	const value = fields["max_completion_tokens"] ?? fields["max_tokens"];
	return typeof value === "number" ? value : null;
}
function readPrompt(fields, rules) {
	let prompt = fields["prompt"];
	if (Array.isArray(prompt) && prompt.length === 1 && typeof prompt[0] !== "number") prompt = prompt[0];
	if (!isGiven(prompt) || prompt === "" || Array.isArray(prompt) && prompt.length === 0) return badRequest("Either prompt or prompt_embeds must be provided and non-empty.", "prompt");
	if (typeof prompt === "string") return rules.vocabulary.encode(prompt);
	if (!Array.isArray(prompt)) return malformed("string_type", "body.prompt", "Input should be a valid string");
	for (const token of prompt) {
		if (!Number.isSafeInteger(token)) return malformed("int_type", "body.prompt", "Input should be a valid integer");
		if (token < 0) return malformed("greater_than_equal", "body.prompt.0", "Input should be greater than or equal to 0");
		if (token >= rules.vocabulary.size) return badRequest(`Token id ${token} is out of vocabulary`, null);
	}
	return prompt;
}
function readMessages(fields, rules) {
	const messages = fields["messages"];
	if (!Array.isArray(messages)) return malformed("missing", "body.messages", "Field required");
	if (messages.length === 0) return badRequest("Cannot apply chat template to an empty conversation. Provide at least one message.", null);
	const tokens = [];
	for (const message of messages) {
		const { role, content } = message ?? {};
		if (typeof role !== "string") return malformed("missing", "body.messages.0.role", "Field required");
		tokens.push(...rules.vocabulary.encode(`<|${role}|>`), ...rules.vocabulary.encode(plainContent(content)));
	}
	tokens.push(...rules.vocabulary.encode("<|assistant|>"));
	return tokens;
}
function plainContent(content) {
	if (!Array.isArray(content)) return typeof content === "string" ? content : "";
	return content.map((part) => String(part?.text ?? "")).join("");
}
function shapeRequest(fields, chat, promptTokens, rules) {
	const room = rules.maxModelLen - promptTokens.length;
	const maxTokens = maxTokensOf(fields) ?? (chat ? Math.max(1, room) : 16);
	if (maxTokens > room) return badRequest(`${`This model's maximum context length is ${rules.maxModelLen} tokens.`} ${`However, you requested ${maxTokens} output tokens and your prompt contains ${promptTokens.length} tokens.`}`, "input_tokens", promptTokens.length);
	const answerSeed = mixSeed(...promptTokens.slice(0, 64), promptTokens.length, Number(fields["seed"] ?? 0));
	const end = endTokenAt(answerSeed, maxTokens, Number(fields["min_tokens"] ?? 0));
	const stops = fields["ignore_eos"] !== true && end < maxTokens;
	const usage = fields["stream_options"] ?? {};
	return {
		chat,
		promptTokens,
		outputTokens: stops ? end : maxTokens,
		finishReason: stops ? "stop" : "length",
		maxTokens,
		cacheSalt: typeof fields["cache_salt"] === "string" ? fields["cache_salt"] : "",
		stream: fields["stream"] === true,
		includeUsage: usage["include_usage"] === true,
		continuousUsage: usage["include_usage"] === true && usage["continuous_usage_stats"] === true,
		returnTokenIds: fields["return_token_ids"] === true,
		streamInterval: Math.max(1, Number(fields["stream_interval"] ?? rules.streamInterval)),
		answerSeed
	};
}
function endTokenAt(answerSeed, maxTokens, minTokens) {
	const range = Math.min(4 * maxTokens, 512);
	return Math.max(1, minTokens, 1 + mixSeed(answerSeed, 3589) % range);
}
function sendJson(response, status, body, headers = {}) {
	response.writeHead(status, {
		"content-type": "application/json",
		"content-length": Buffer.byteLength(body),
		...headers
	});
	response.end(body);
}
function sendError(response, answer) {
	sendJson(response, answer.status, errorBody(answer));
}
function sendDetail(response, status, allow) {
	sendJson(response, status, status === 404 ? "{\"detail\":\"Not Found\"}" : "{\"detail\":\"Method Not Allowed\"}", allow === void 0 ? {} : { allow });
}
var LiveAnswer = class {
	#response;
	#sequence;
	#frames;
	#stream;
	#breaks;
	#breakAt;
	#abandon;
	#pending = "";
	#broken = false;
	#finished = false;
	constructor(response, sequence, frames, stream, breaks, abandon) {
		this.#response = response;
		this.#sequence = sequence;
		this.#frames = frames;
		this.#stream = stream;
		this.#breaks = breaks;
		this.#breakAt = Math.max(1, Math.floor(sequence.outputTokens / 2));
		this.#abandon = abandon;
		response.on("close", () => {
			if (!response.writableFinished) abandon();
		});
	}
	begin() {
		if (!this.#stream) return;
		this.#response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
		this.#response.flushHeaders();
	}
	token(last) {
		if (this.#broken) return;
		this.#pending += this.#frames.token(last);
		this.#finished = last;
		if (this.#breaks !== null && this.#frames.given >= this.#breakAt) this.#broken = true;
	}
	flush() {
		if (this.#broken) this.#breakOff();
		else if (this.#finished) this.#finish();
		else if (this.#pending.length > 0) this.#response.write(this.#pending);
		this.#pending = "";
	}
	#finish() {
		const cached = this.#sequence.cachedTokens;
		if (this.#stream) {
			this.#response.end(this.#pending + this.#frames.ending(cached));
			return;
		}
		const body = this.#frames.body(cached);
		this.#response.writeHead(200, {
			"content-type": "application/json",
			"content-length": Buffer.byteLength(body)
		});
		this.#response.end(body);
	}
	#breakOff() {
		this.#abandon();
		if (this.#breaks === "cut") {
			if (this.#stream) this.#response.write(this.#pending, () => this.#response.destroy());
			else this.#response.destroy();
		} else if (this.#stream) this.#response.end(this.#pending + errorFrame(ENGINE_FAILED) + DONE_FRAME);
		else {
			const body = errorBody(ENGINE_FAILED);
			this.#response.writeHead(500, {
				"content-type": "application/json",
				"content-length": Buffer.byteLength(body)
			});
			this.#response.end(body);
		}
	}
};
const MAX_BODY_BYTES = 33554432;
function readBody(request) {
	return new Promise((resolve) => {
		const chunks = [];
		let bytes = 0;
		request.on("data", (chunk) => {
			bytes += chunk.length;
			if (bytes > MAX_BODY_BYTES) {
				resolve(null);
				request.destroy();
				return;
			}
			chunks.push(chunk);
		});
		request.on("end", () => resolve(Buffer.concat(chunks).toString("utf8")));
		request.on("error", () => resolve(null));
		request.on("close", () => resolve(null));
	});
}
const PIECES = /\s*[\p{L}\p{N}]{1,6}|\s*[^\s\p{L}\p{N}]|\s+/gu;
var Vocabulary = class {
	#size;
	#words;
	constructor(size) {
		this.#size = size;
		this.#words = Array.from({ length: 1024 }, (_, index) => spell(index));
	}
	get size() {
		return this.#size;
	}
	encode(text) {
		return (text.match(PIECES) ?? []).map((piece) => {
			let hash = 7;
			for (let index = 0; index < piece.length; index += 1) hash = Math.imul(hash ^ piece.charCodeAt(index), 16777619);
			return mixSeed(hash) % this.#size;
		});
	}
	tokenOf(answerSeed, index) {
		return mixSeed(answerSeed, index) % this.#size;
	}
	textOf(token) {
		return this.#words[token & 1023];
	}
};
function spell(index) {
	const consonants = "bdfgklmnprstvz";
	const vowels = "aeiou";
	let left = mixSeed(index, 1804);
	let word = " ";
	for (let syllable = 0; syllable < 1 + index % 3; syllable += 1) {
		word += consonants.charAt(left % 14) + vowels.charAt((left >>> 8) % 5);
		left = mixSeed(left);
	}
	return word;
}
const MEDIA_TYPE = {
	status: 400,
	message: "1 validation error:\n  Unsupported Media Type: Only 'application/json' is allowed",
	type: "Bad Request",
	param: null
};
const HTML_PAGE = "<!doctype html><html><body><h1>It works</h1></body></html>\n";
var GenerationDesk = class {
	#options;
	#loop;
	#plan;
	#metrics;
	#vocabulary;
	#fingerprint;
	#exit;
	active = 0;
	constructor(options, loop, plan, metrics, exit) {
		this.#options = options;
		this.#loop = loop;
		this.#plan = plan;
		this.#metrics = metrics;
		this.#vocabulary = new Vocabulary(options.vocabulary);
		this.#exit = exit;
		const hash = mixSeed(...Buffer.from(JSON.stringify(options.parameters))).toString(16).padStart(8, "0");
		this.#fingerprint = `fixture-${options.servedVersion.replace(/[^\w.-]/g, "")}-${hash}`;
	}
	async handle(message, response, chat) {
		this.active += 1;
		response.on("close", () => this.active -= 1);
		const arrivalUs = this.#loop.nowUs;
		const text = await readBody(message);
		if (text === null) return;
		if (!/^application\/json\b/i.test(message.headers["content-type"] ?? "")) return sendError(response, MEDIA_TYPE);
		const request = readGeneration(text, chat, {
			modelId: this.#options.modelId,
			maxModelLen: this.#options.parameters.maxModelLen,
			streamInterval: this.#options.streamInterval,
			vocabulary: this.#vocabulary
		});
		if ("status" in request) return sendError(response, request);
		if (request.promptTokens.length === 0) return sendError(response, malformed("missing", "body", "Empty prompt"));
		const fate = this.#plan.next();
		if (!this.#befall(fate, response)) this.#answer(message, response, request, fate, arrivalUs);
	}
	#befall(fate, response) {
		this.#loop.model.faults.cacheHits = fate.cacheHits;
		if (fate.crash) this.#exit(this.#plan.settings.crash_exit_code);
		if (fate.stallSeconds > 0) this.#loop.stall(fate.stallSeconds);
		if (fate.hang) return true;
		if (fate.rejectStatus !== null) {
			sendError(response, fate.rejectStatus === 429 ? TOO_MANY : {
				...BUSY,
				status: fate.rejectStatus
			});
			return true;
		}
		if (fate.html) {
			response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(HTML_PAGE);
			return true;
		}
		return false;
	}
	#answer(message, response, request, fate, arrivalUs) {
		const sequence = newSequence({
			promptTokens: request.promptTokens.length,
			outputTokens: Math.max(1, request.outputTokens - fate.shortBy),
			blockKeys: keysOfTokens(request.promptTokens, this.#options.parameters.blockTokens, request.cacheSalt),
			arrivalUs
		});
		const frames = new AnswerFrames(request, {
			id: this.#idOf(message, request.chat),
			created: Math.floor(Date.now() / 1e3),
			modelId: this.#options.modelId,
			fingerprint: this.#fingerprint,
			vocabulary: this.#vocabulary,
			splitCharacterEvery: this.#options.splitCharacterEvery
		});
		const abandon = () => this.#loop.abort(sequence);
		const answer = new LiveAnswer(response, sequence, frames, request.stream, fate.breaks, abandon);
		this.#metrics.expect(sequence, request.maxTokens, request.finishReason);
		const taken = this.#loop.submit(sequence, answer);
		if (taken === "queued") answer.begin();
		else if (taken === "refused") sendError(response, BUSY);
		else sendError(response, badRequest("The request could never fit into the KV cache.", null));
	}
	#idOf(message, chat) {
		const given = message.headers["x-request-id"];
		const own = typeof given === "string" && given.length > 0 ? given : randomBytes(8).toString("hex");
		return `${chat ? "chatcmpl" : "cmpl"}-${own}`;
	}
};
var RealTimeLoop = class {
	model;
	#nowUs;
	#onStep;
	#listeners = new Map();
	#touched = new Set();
	#dueUs = -1;
	#notBeforeUs = 0;
	#timer = null;
	constructor(model, nowUs, onStep) {
		this.model = model;
		this.#nowUs = nowUs;
		this.#onStep = onStep;
	}
	get nowUs() {
		return this.#nowUs();
	}
	submit(sequence, listener) {
		this.#advance();
		const answer = this.model.submit(sequence);
		if (answer !== "queued") return answer;
		this.#listeners.set(sequence, listener);
		this.#startIfIdle();
		return answer;
	}
	abort(sequence) {
		if (!this.#listeners.delete(sequence)) return;
		this.model.abort(sequence);
		this.#startIfIdle();
	}
	stall(seconds) {
		this.#advance();
		this.#notBeforeUs = this.#nowUs() + seconds * 1e6;
		if (this.#dueUs >= 0) this.#dueUs += seconds * 1e6;
		this.#arm();
	}
	stop() {
		if (this.#timer !== null) clearTimeout(this.#timer);
		this.#timer = null;
		this.#dueUs = -1;
	}
	#startIfIdle() {
		if (this.#dueUs >= 0) return;
		this.#dueUs = this.model.beginStep(Math.max(this.#nowUs(), this.#notBeforeUs));
		this.#arm();
	}
	#advance() {
		const nowUs = this.#nowUs();
		while (this.#dueUs >= 0 && this.#dueUs <= nowUs) {
			const outcome = this.model.finishStep();
			this.#onStep(outcome);
			for (const sequence of outcome.receivers) this.#tell(sequence);
			this.#dueUs = this.model.beginStep(Math.max(this.#dueUs, this.#notBeforeUs));
		}
		if (this.#touched.size === 0) return;
		const touched = this.#touched;
		this.#touched = new Set();
		for (const listener of touched) listener.flush();
	}
	#tell(sequence) {
		const listener = this.#listeners.get(sequence);
		if (listener === void 0) return;
		const last = sequence.state === "finished";
		if (last) this.#listeners.delete(sequence);
		this.#touched.add(listener);
		listener.token(last);
	}
	#arm() {
		if (this.#timer !== null) clearTimeout(this.#timer);
		this.#timer = null;
		if (this.#dueUs < 0) return;
		const waitMs = Math.max(0, Math.ceil((this.#dueUs - this.#nowUs()) / 1e3));
		this.#timer = setTimeout(() => {
			this.#timer = null;
			this.#advance();
			this.#arm();
		}, waitMs);
	}
};
var EngineServer = class {
	#options;
	#server;
	#loop;
	#plan;
	#metrics;
	#desk;
	#routes = new Map();
	#createdSeconds = Date.now() / 1e3;
	#exit;
	#timers = [];
	#readyAtUs = 0;
	constructor(options, exit) {
		this.#options = options;
		this.#exit = exit;
		const originMs = performance.now();
		const model = new ReplicaModel(options.parameters, options.noise, true);
		this.#metrics = new EngineMetrics(model, options.modelId, this.#createdSeconds);
		this.#loop = new RealTimeLoop(model, () => Math.round((performance.now() - originMs) * 1e3), (outcome) => this.#metrics.observeStep(outcome));
		this.#plan = new FaultPlan(options.faults, options.noise.seed);
		this.#desk = new GenerationDesk(options, this.#loop, this.#plan, this.#metrics, exit);
		this.#server = createServer({ keepAliveTimeout: options.keepAliveSeconds * 1e3 }, (message, response) => {
			this.#dispatch(message, response);
		});
		this.#server.maxRequestsPerSocket = 0;
		this.#addRoutes();
		this.#applyFaults();
	}
	async start() {
		this.#readyAtUs = this.#loop.nowUs + this.#plan.settings.slow_start_seconds * 1e6;
		const crashAfter = this.#plan.settings.crash_after_seconds;
		if (crashAfter > 0) this.#crashAfter(crashAfter);
		await new Promise((resolve, reject) => {
			this.#server.once("error", reject);
			this.#server.listen(this.#options.port, this.#options.host, 1024, resolve);
		});
		return this.#server.address().port;
	}
	async stop(drainSeconds) {
		const closed = new Promise((resolve) => this.#server.close(() => resolve()));
		this.#server.closeIdleConnections();
		const deadline = setTimeout(() => this.#server.closeAllConnections(), drainSeconds * 1e3);
		const sweep = setInterval(() => this.#server.closeIdleConnections(), 20);
		await closed;
		clearTimeout(deadline);
		clearInterval(sweep);
		for (const timer of this.#timers) clearTimeout(timer);
		this.#loop.stop();
	}
	async #dispatch(message, response) {
		const path = (message.url ?? "/").split("?", 1)[0];
		if (this.#plan.settings.close_connections > 0 && path !== "/admin/faults") {
			message.socket.destroy();
			return;
		}
		const methods = this.#routes.get(path);
		if (methods === void 0) return sendDetail(response, 404);
		const handler = methods.get(message.method ?? "GET");
		if (handler === void 0) return sendDetail(response, 405, [...methods.keys()].join(", "));
		await handler(message, response);
	}
	#addRoutes() {
		const empty = (_, response) => {
			response.writeHead(this.#ready() ? 200 : 503, { "content-length": 0 }).end();
		};
		this.#route("GET", "/health", empty);
		this.#route("GET", "/ping", empty);
		this.#route("GET", "/version", (_, response) => {
			const version = this.#plan.settings.version || this.#options.servedVersion;
			sendJson(response, 200, JSON.stringify({ version }));
		});
		this.#route("GET", "/load", (_, response) => sendJson(response, 200, "{\"server_load\":0}"));
		this.#route("GET", "/v1/models", (_, response) => sendJson(response, 200, this.#modelCards()));
		this.#route("GET", "/metrics", (_, response) => {
			sendJson(response, 200, this.#metrics.render(), { "content-type": "text/plain; version=1.0.0; charset=utf-8" });
		});
		this.#route("POST", "/reset_prefix_cache", (_, response) => {
			sendJson(response, 200, JSON.stringify({ success: this.#loop.model.resetPrefixCache() }));
		});
		const generate = (chat) => {
			return (message, response) => this.#ready() ? this.#desk.handle(message, response, chat) : sendError(response, BUSY);
		};
		this.#route("POST", "/v1/completions", generate(false));
		this.#route("POST", "/v1/chat/completions", generate(true));
		if (!this.#options.admin) return;
		this.#route("GET", "/admin/faults", (_, response) => {
			sendJson(response, 200, JSON.stringify(this.#plan.settings));
		});
		this.#route("POST", "/admin/faults", (message, response) => this.#changeFaults(message, response));
	}
	#route(method, path, handler) {
		const methods = this.#routes.get(path) ?? new Map();
		methods.set(method, handler);
		this.#routes.set(path, methods);
	}
	#ready() {
		return this.#loop.nowUs >= this.#readyAtUs;
	}
	#modelCards() {
		const { modelId, modelRoot, parameters } = this.#options;
		const card = {
			id: modelId,
			object: "model",
			created: Math.floor(this.#createdSeconds),
			owned_by: "fixture",
			root: modelRoot,
			parent: null,
			max_model_len: parameters.maxModelLen,
			permission: []
		};
		return JSON.stringify({
			object: "list",
			data: [card]
		});
	}
	async #changeFaults(message, response) {
		let changes = null;
		try {
			changes = JSON.parse(await readBody(message) ?? "");
		} catch {}
		const isObject = typeof changes === "object" && changes !== null && !Array.isArray(changes);
		const answer = isObject ? this.#plan.change(changes) : "the body must be a JSON object";
		if (typeof answer === "string") return sendJson(response, 400, JSON.stringify({ error: answer }));
		this.#applyFaults();
		if (isObject && "crash_after_seconds" in changes) this.#crashAfter(answer.crash_after_seconds);
		sendJson(response, 200, JSON.stringify(answer));
	}
	#crashAfter(seconds) {
		if (seconds > 0) this.#timers.push(setTimeout(() => this.#exit(this.#plan.settings.crash_exit_code), seconds * 1e3));
	}
	#applyFaults() {
		const settings = this.#plan.settings;
		const faults = this.#loop.model.faults;
		faults.prefillFactor = settings.prefill_factor;
		faults.leakBlocksPerRequest = settings.leak_blocks_per_request;
		faults.growthPerStep = settings.growth_per_step;
		faults.growthPerSecond = settings.growth_per_second;
		if (this.#plan.takeImmediateStall()) this.#loop.stall(settings.stall_seconds);
	}
};
const WORKED_EXAMPLE_8XH100 = {
	slots: 256,
	tokenBudget: 2048,
	blockTokens: 16,
	kvBlocks: 32768,
	maxQueued: 512,
	maxModelLen: 16384,
	prefixCache: true,
	baseUs: 1e4,
	perPrefillTokenUs: 22,
	perDecodeSequenceUs: 80,
	perContextTokenUs: .04,
	perPrefillPairUs: 5e-4
};
const PARAMETER_FLAGS = [
	[
		"slots",
		"slots",
		"most sequences in one batch"
	],
	[
		"token-budget",
		"tokenBudget",
		"most tokens computed in one step"
	],
	[
		"block-tokens",
		"blockTokens",
		"tokens in one KV block"
	],
	[
		"kv-blocks",
		"kvBlocks",
		"KV blocks"
	],
	[
		"max-queued",
		"maxQueued",
		"most waiting requests; one more is refused with 503"
	],
	[
		"max-model-len",
		"maxModelLen",
		"most tokens of prompt and output together"
	],
	[
		"base-us",
		"baseUs",
		"step time: fixed part, microseconds"
	],
	[
		"per-prefill-token-us",
		"perPrefillTokenUs",
		"step time: for each prefilled token"
	],
	[
		"per-decode-sequence-us",
		"perDecodeSequenceUs",
		"step time: for each decoding sequence"
	],
	[
		"per-context-token-us",
		"perContextTokenUs",
		"step time: for each token of decode context"
	],
	[
		"per-prefill-pair-us",
		"perPrefillPairUs",
		"step time: for each pair of tokens in prefill attention"
	]
];
const NOISE_FLAGS = [
	[
		"seed",
		"seed",
		"seed of noise, faults and texts"
	],
	[
		"speed",
		"speed",
		"divides every step time"
	],
	[
		"jitter",
		"jitter",
		"relative deviation of one step time"
	],
	[
		"drift-amplitude",
		"driftAmplitude",
		"relative slow swing of the step time"
	],
	[
		"drift-period-seconds",
		"driftPeriodSeconds",
		"period of that swing"
	]
];
const TEXT_FLAGS = [
	[
		"host",
		"127.0.0.1",
		"address to listen on"
	],
	[
		"port",
		"18000",
		"port to listen on; 0: any free one"
	],
	[
		"preset",
		"small",
		"small | worked-example: the defaults of the model flags"
	],
	[
		"model-id",
		"fixture",
		"served model name"
	],
	[
		"model-root",
		"",
		"the model card's root; empty: the model id"
	],
	[
		"served-version",
		"1.0",
		"what /version says"
	],
	[
		"vocabulary",
		"32000",
		"token ids run from 0 to one less"
	],
	[
		"stream-interval",
		"1",
		"tokens in one chunk, the first and the last apart"
	],
	[
		"split-character-every",
		"0",
		"every n-th token is half a character: empty text; 0: none"
	],
	[
		"keep-alive-seconds",
		"75",
		"idle connections are closed after so long"
	],
	[
		"drain-seconds",
		"2",
		"how long SIGTERM waits for running requests"
	],
	[
		"boot-spread",
		"0",
		"relative deviation of this boot, drawn from the seed"
	]
];
function usageText() {
	const lines = [...PARAMETER_FLAGS, ...NOISE_FLAGS].map(([flag, , help]) => `  --${flag} N`.padEnd(32) + help);
	return `The embedded engine: one replica.\n\n${[...TEXT_FLAGS.map(([flag, value, help]) => `  --${flag} X`.padEnd(32) + `${help} (${value || "empty"})`), ...lines].join("\n")}
  --no-prefix-cache             no prompt block is ever hit
  --admin                       serve GET and POST /admin/faults
  --fault name=value            a fault, as often as wanted\n`;
}
function parseOptions(argv) {
	let values;
	try {
		const flags = [
			...TEXT_FLAGS,
			...PARAMETER_FLAGS,
			...NOISE_FLAGS
		];
		const strings = Object.fromEntries(flags.map(([flag]) => [flag, { type: "string" }]));
		const switches = {
			admin: { type: "boolean" },
			"no-prefix-cache": { type: "boolean" }
		};
		const fault = { fault: {
			type: "string",
			multiple: true
		} };
		values = parseArgs({
			args: [...argv],
			options: {
				...strings,
				...switches,
				...fault
			}
		}).values;
	} catch (error) {
		return error instanceof Error ? error.message : String(error);
	}
	const text = (flag) => String(values[flag] ?? TEXT_FLAGS.find(([name]) => name === flag)?.[1]);
	const bad = [...PARAMETER_FLAGS, ...NOISE_FLAGS].find(([flag]) => notANumber(values[flag]));
	if (bad !== void 0) return `--${bad[0]} needs a number`;
	const preset = {
		small: SMALL_ENGINE,
		"worked-example": WORKED_EXAMPLE_8XH100
	}[text("preset")];
	if (preset === void 0) return `unknown preset ${text("preset")}`;
	const parameters = {
		...preset,
		prefixCache: values["no-prefix-cache"] !== true
	};
	Object.assign(parameters, readNumbers(PARAMETER_FLAGS, values));
	const noise = {
		...QUIET,
		...readNumbers(NOISE_FLAGS, values)
	};
	noise.speed *= drawBootSpeed(noise.seed, Number(text("boot-spread")));
	const faults = parseFaultFlags(values["fault"] ?? []);
	if (typeof faults === "string") return faults;
	return assemble(text, values["admin"] === true, parameters, noise, faults);
}
function assemble(text, admin, parameters, noise, faults) {
	const problem = parameterProblem(parameters);
	if (problem !== null) return problem;
	if (!(noise.speed > 0)) return "speed must be greater than zero";
	const options = {
		host: text("host"),
		port: Number(text("port")),
		modelId: text("model-id"),
		modelRoot: text("model-root") || text("model-id"),
		servedVersion: text("served-version"),
		vocabulary: Number(text("vocabulary")),
		streamInterval: Number(text("stream-interval")),
		splitCharacterEvery: Number(text("split-character-every")),
		keepAliveSeconds: Number(text("keep-alive-seconds")),
		drainSeconds: Number(text("drain-seconds")),
		admin,
		parameters,
		noise,
		faults
	};
	const wrong = Object.entries(options).find(([, value]) => typeof value === "number" && !(value >= 0));
	if (wrong !== void 0) return `${wrong[0]} must be a number, zero or more`;
	if (options.vocabulary < 256 || options.streamInterval < 1) return "vocabulary and stream interval are too small";
	return options;
}
function notANumber(value) {
	return value !== void 0 && (String(value).trim() === "" || Number.isNaN(Number(value)));
}
function readNumbers(flags, values) {
	const given = flags.filter(([flag]) => values[flag] !== void 0);
	return Object.fromEntries(given.map(([flag, name]) => [name, Number(values[flag])]));
}
async function main(argv) {
	if (argv.includes("--help")) {
		process.stdout.write(usageText());
		return;
	}
	const options = parseOptions(argv);
	if (typeof options === "string") {
		process.stderr.write(`error: ${options}\nhint: --help lists the flags\n`);
		process.exitCode = 64;
		return;
	}
	const server = new EngineServer(options, (code) => process.exit(code));
	const stop = () => {
		server.stop(options.drainSeconds).then(() => process.exit(0));
	};
	process.once("SIGTERM", stop);
	process.once("SIGINT", stop);
	try {
		const port = await server.start();
		process.stdout.write(`fixture engine: model ${options.modelId}, listening on http://${options.host}:${port}\n`);
	} catch (error) {
		process.stderr.write(`error: cannot listen: ${error instanceof Error ? error.message : String(error)}\n`);
		process.exit(1);
	}
}
await main(process.argv.slice(2));
export {};
