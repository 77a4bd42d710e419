// Plays the frames of a replay page; replay/mod.rs says how they are stored.
const at = (id) => document.getElementById(id);
const header = JSON.parse(at("header").textContent);

async function unpack() {
  const text = atob(at("data").textContent.trim());
  const packed = Uint8Array.from(text, (c) => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const { triangles, segments, points, times } = header;
  const indices = new Uint32Array(bytes.buffer, 0, triangles + segments);
  let place = 4 * (triangles + segments);
  const colours = bytes.subarray(place, (place += 3 * points));
  const width = 3 * points, count = width * times.length;
  const values = new Uint16Array(count);
  for (let i = 0; i < count; i++) {
    const change = bytes[place + i] | (bytes[place + count + i] << 8);
    values[i] = change + (i < width ? 0 : values[i - width]);
  }
  return { triangles: indices.subarray(0, triangles), segments: indices.subarray(triangles), colours, values };
}

const VERTEX = `#version 300 es
in vec3 position, normal, colour;
uniform mat4 project;
uniform vec3 eye;
out vec3 shade;
void main() {
  gl_Position = project * vec4(position, 1.0);
  vec3 view = normalize(eye - position);
  float straight = length(normal);
  vec3 n = straight > 0.0 ? normal / straight : view;
  if (dot(n, view) < 0.0) n = -n;
  float light = 0.5 + 0.4 * max(0.0, dot(n, normalize(vec3(0.4, 1.0, 0.6)))) + 0.15 * max(0.0, dot(n, view));
  shade = colour * light;
}`;
const FRAGMENT = `#version 300 es
precision mediump float;
in vec3 shade;
out vec4 colour;
void main() { colour = vec4(shade, 1.0); }`;

function program(gl) {
  const made = gl.createProgram();
  for (const [kind, text] of [[gl.VERTEX_SHADER, VERTEX], [gl.FRAGMENT_SHADER, FRAGMENT]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    gl.attachShader(made, shader);
  }
  ["position", "normal", "colour"].forEach((name, index) => gl.bindAttribLocation(made, index, name));
  gl.linkProgram(made);
  return made;
}

const sub = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const unit = (a) => { const n = Math.hypot(...a) || 1; return a.map((x) => x / n); };

// Column-major: perspective times view.
function matrix(eye, target, fov, aspect, size) {
  const back = unit(sub(eye, target)), right = unit(cross([0, 1, 0], back)), up = cross(back, right);
  const far = Math.hypot(...sub(eye, target)) + 20 * size, near = far / 5000, f = 1 / Math.tan(fov / 2);
  const view = [right, up, back].map((axis) => [...axis, -dot(axis, eye)]);
  const out = new Float32Array(16);
  const z = (far + near) / (near - far);
  for (let c = 0; c < 4; c++) {
    out[4 * c] = (f / aspect) * view[0][c];
    out[4 * c + 1] = f * view[1][c];
    out[4 * c + 2] = z * view[2][c] + (c === 3 ? (2 * far * near) / (near - far) : 0);
    out[4 * c + 3] = -view[2][c];
  }
  return out;
}

// The box of what moves: tiles of planes go far beyond it, and are last.
function look(first) {
  const { camera } = header;
  if (camera) return { target: camera.at, offset: sub(camera.eye, camera.at), fov: (camera.fov * Math.PI) / 180 };
  const low = [1e30, 1e30, 1e30], high = [-1e30, -1e30, -1e30];
  first.forEach((x, i) => { low[i % 3] = Math.min(low[i % 3], x); high[i % 3] = Math.max(high[i % 3], x); });
  const target = low.map((x, k) => (x + high[k]) / 2), size = Math.hypot(...sub(high, low)) || 1;
  return { target, offset: unit([0.5, 0.55, 1]).map((x) => x * size * 1.5), fov: 0.7 };
}

async function main() {
  const { triangles, segments, colours, values } = await unpack();
  const { points, times, low, step } = header;
  const canvas = at("view"), gl = canvas.getContext("webgl2", { antialias: true, preserveDrawingBuffer: true });
  if (!gl) { at("title").textContent += " (this browser has no WebGL 2)"; return; }
  const used = program(gl);
  gl.useProgram(used);
  const buffers = [0, 1, 2].map((index) => {
    const buffer = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.enableVertexAttribArray(index);
    gl.vertexAttribPointer(index, 3, index === 2 ? gl.UNSIGNED_BYTE : gl.FLOAT, index === 2, 0, 0);
    return buffer;
  });
  gl.bufferData(gl.ARRAY_BUFFER, colours, gl.STATIC_DRAW);
  const indices = new Uint32Array(triangles.length + segments.length);
  indices.set(triangles);
  indices.set(segments, triangles.length);
  gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, indices, gl.STATIC_DRAW);
  gl.enable(gl.DEPTH_TEST);
  gl.clearColor(0.957, 0.949, 0.933, 1);

  const x = new Float32Array(3 * points), normals = new Float32Array(3 * points);
  const decode = (frame) => {
    const from = frame * 3 * points;
    for (let i = 0; i < x.length; i++) x[i] = low[i % 3] + values[from + i] * step[i % 3];
    normals.fill(0);
    for (let t = 0; t < triangles.length; t += 3) {
      const [a, b, c] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]];
      const ux = x[b] - x[a], uy = x[b + 1] - x[a + 1], uz = x[b + 2] - x[a + 2];
      const vx = x[c] - x[a], vy = x[c + 1] - x[a + 1], vz = x[c + 2] - x[a + 2];
      const n = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
      for (const corner of [a, b, c]) for (let k = 0; k < 3; k++) normals[corner + k] += n[k];
    }
    [x, normals].forEach((data, index) => {
      gl.bindBuffer(gl.ARRAY_BUFFER, buffers[index]);
      gl.bufferData(gl.ARRAY_BUFFER, data, gl.DYNAMIC_DRAW);
    });
  };
  decode(0);
  const camera = look(x.subarray(0, 3 * header.seen));
  const size = Math.hypot(...camera.offset);
  let yaw = Math.atan2(camera.offset[0], camera.offset[2]), pitch = Math.asin(camera.offset[1] / size), distance = size;
  const draw = () => {
    const ratio = window.devicePixelRatio || 1;
    const [w, h] = [Math.max(1, canvas.clientWidth * ratio), Math.max(1, canvas.clientHeight * ratio)];
    if (canvas.width !== Math.round(w) || canvas.height !== Math.round(h)) { canvas.width = w; canvas.height = h; }
    gl.viewport(0, 0, canvas.width, canvas.height);
    const eye = [Math.sin(yaw) * Math.cos(pitch), Math.sin(pitch), Math.cos(yaw) * Math.cos(pitch)].map((d, k) => camera.target[k] + d * distance);
    gl.uniformMatrix4fv(gl.getUniformLocation(used, "project"), false, matrix(eye, camera.target, camera.fov, w / h, size));
    gl.uniform3fv(gl.getUniformLocation(used, "eye"), eye);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.drawElements(gl.TRIANGLES, triangles.length, gl.UNSIGNED_INT, 0);
    gl.drawElements(gl.LINES, segments.length, gl.UNSIGNED_INT, 4 * triangles.length);
  };
  let frame = 0, playing = true, since = performance.now() - 1000 * times[0];
  const end = times.length - 1, seek = at("seek");
  seek.max = end;
  const show = (next) => {
    frame = next;
    decode(frame);
    seek.value = frame;
    at("time").textContent = `${times[frame].toFixed(2)} s`;
    document.body.dataset.frame = frame;
  };
  const restart = () => { since = performance.now() - 1000 * times[frame]; };
  const play = (on) => { playing = on; at("play").textContent = on ? "❚❚" : "▶"; if (on && frame === end) show(0); restart(); };
  at("play").onclick = () => play(!playing);
  seek.oninput = () => { play(false); show(Number(seek.value)); };
  addEventListener("keydown", (event) => { if (event.key === " ") { event.preventDefault(); play(!playing); } });
  canvas.onpointermove = (event) => {
    if (!event.buttons) return;
    yaw -= event.movementX * 0.008;
    pitch = Math.max(-1.5, Math.min(1.5, pitch + event.movementY * 0.008));
  };
  canvas.onpointerdown = (event) => canvas.setPointerCapture(event.pointerId);
  canvas.addEventListener("wheel", (event) => { event.preventDefault(); distance *= Math.exp(event.deltaY * 0.001); }, { passive: false });
  show(0);
  const tick = (now) => {
    if (playing && end > 0) {
      const time = (now - since) / 1000;
      let next = frame;
      while (next < end && times[next + 1] <= time) next++;
      if (time > times[end] + 0.7) { next = 0; since = now - 1000 * times[0]; }
      if (next !== frame) show(next);
    }
    draw();
    requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
}
main();
