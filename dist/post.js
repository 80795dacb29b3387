import { i as removeLeftovers } from "./chunk-0-compose.js";
import { t as runnerScreen } from "./chunk-0-runner-screen.js";
const screen = runnerScreen((text) => void process.stderr.write(text));
try {
	const around = {
		env: { ...process.env },
		cwd: process.cwd(),
		screen
	};
	for (const line of await removeLeftovers(around)) screen.write(`${line}\n`);
} catch (error) {
	screen.write(`the clean-up did not finish: ${error instanceof Error ? error.message : String(error)}\n`);
}
export {};
