// Smooth normals of moving triangles, in loops without objects: this runs for every drawn frame.

/** Sums the cross products of the triangles at each corner (so large triangles count more), then normalises. */
export function computeNormals(positions: Float32Array, triangles: Uint32Array, normals: Float32Array): void {
  normals.fill(0);
  accumulate(positions, triangles, normals);
  normalise(normals);
}

export function accumulate(positions: Float32Array, triangles: Uint32Array, normals: Float32Array): void {
  for (let t = 0; t < triangles.length; t += 3) {
    const a = triangles[t] * 3;
    const b = triangles[t + 1] * 3;
    const c = triangles[t + 2] * 3;
    const ax = positions[a];
    const ay = positions[a + 1];
    const az = positions[a + 2];
    const ux = positions[b] - ax;
    const uy = positions[b + 1] - ay;
    const uz = positions[b + 2] - az;
    const vx = positions[c] - ax;
    const vy = positions[c + 1] - ay;
    const vz = positions[c + 2] - az;
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    normals[a] += nx;
    normals[a + 1] += ny;
    normals[a + 2] += nz;
    normals[b] += nx;
    normals[b + 1] += ny;
    normals[b + 2] += nz;
    normals[c] += nx;
    normals[c + 1] += ny;
    normals[c + 2] += nz;
  }
}

export function normalise(normals: Float32Array): void {
  for (let i = 0; i < normals.length; i += 3) {
    const x = normals[i];
    const y = normals[i + 1];
    const z = normals[i + 2];
    const length = Math.sqrt(x * x + y * y + z * z);
    if (length > 0) {
      const scale = 1 / length;
      normals[i] = x * scale;
      normals[i + 1] = y * scale;
      normals[i + 2] = z * scale;
    } else {
      normals[i + 1] = 1;
    }
  }
}
