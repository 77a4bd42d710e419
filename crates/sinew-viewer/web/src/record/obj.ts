// The surfaces as they are now, as Wavefront OBJ.

import type { Variant } from '../variant';

export function objText(variant: Variant): string {
  const { scene, mesh, positions } = variant;
  const lines = [`# ${scene.title || scene.name}, ${variant.time} s`];
  let triangle = 0;
  let spring = 0;
  let written = 0;
  for (const body of scene.bodies) {
    const triangles = mesh!.triangles.subarray(triangle * 3, (triangle + body.triangles) * 3);
    triangle += body.triangles;
    const springs = mesh!.springs.subarray(spring * 2, (spring + (body.triangles > 0 ? 0 : body.springs)) * 2);
    spring += springs.length / 2;
    if (triangles.length + springs.length === 0) continue;
    lines.push(`o ${body.name.replace(/\s+/g, '_')}`);
    // Each body brings its own vertices, so that programs that split objects find them complete.
    const number = new Map<number, number>();
    for (const vertex of [...triangles, ...springs]) {
      if (number.has(vertex)) continue;
      number.set(vertex, ++written);
      lines.push(`v ${positions[vertex * 3]} ${positions[vertex * 3 + 1]} ${positions[vertex * 3 + 2]}`);
    }
    for (let s = 0; s < springs.length; s += 2) lines.push(`l ${number.get(springs[s])} ${number.get(springs[s + 1])}`);
    for (let t = 0; t < triangles.length; t += 3) {
      lines.push(`f ${number.get(triangles[t])} ${number.get(triangles[t + 1])} ${number.get(triangles[t + 2])}`);
    }
  }
  return `${lines.join('\n')}\n`;
}
