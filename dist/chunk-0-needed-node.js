const NEEDED = {
	major: 22,
	minor: 19
};
function nodeRefusal(version) {
	const [major = 0, minor = 0] = version.split(".").map(Number);
	if (major > NEEDED.major || major === NEEDED.major && minor >= NEEDED.minor) return null;
	return `error: capacity-gate needs Node ${NEEDED.major}.${NEEDED.minor} or newer, and this is Node ${version}\nhint: run it with Node 24\n`;
}
export { nodeRefusal as n, NEEDED as t };
