// Validates glTF files: `node validate.mjs FILE…`. Errors and warnings fail.
import { readFile } from "node:fs/promises";
import validator from "gltf-validator";

let bad = false;
for (const file of process.argv.slice(2)) {
  const report = await validator.validateBytes(new Uint8Array(await readFile(file)), { uri: file, maxIssues: 0 });
  const { numErrors, numWarnings, messages } = report.issues;
  console.log(`${file}: ${numErrors} errors, ${numWarnings} warnings, ${report.info?.totalVertexCount} vertices, ${report.info?.animationCount} clips`);
  for (const message of messages.filter((message) => message.severity < 2)) {
    console.log(`  ${message.code} ${message.pointer}: ${message.message}`);
  }
  bad ||= numErrors + numWarnings > 0;
}
process.exit(bad ? 1 : 0);
