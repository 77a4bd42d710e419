// Round markers: pins, joints, ends of springs. Those with a size in metres shrink with the distance and never grow over a few pixels. They are points that share the positions
// of the vertices, so that they cost nothing while these move.

import { BufferAttribute, BufferGeometry, Color, Points, ShaderMaterial, Vector4 } from 'three';

const vertexShader = /* glsl */ `
uniform float size;
uniform float metres;
uniform float height;
uniform float nearer;
void main() {
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
  // A little toward the eye, or half of each dot would hide in the surface that it sits on.
  gl_Position.z -= nearer * gl_Position.w;
  // Metres become pixels by the distance; too small a dot would not be seen, too large a one would hide what it marks.
  float seen = 0.5 * metres * projectionMatrix[1][1] * height / gl_Position.w;
  gl_PointSize = metres > 0.0 ? clamp(seen, 0.35 * size, size) : size;
}`;

const fragmentShader = /* glsl */ `
uniform vec3 colour;
uniform vec3 edge;
void main() {
  vec2 at = gl_PointCoord * 2.0 - 1.0;
  float r = length(at);
  if (r > 1.0) discard;
  float light = 0.82 + 0.3 * dot(normalize(vec3(at.x, -at.y, 1.0)), vec3(-0.4, 0.6, 0.5));
  vec3 shaded = mix(colour * light, edge, smoothstep(0.62, 0.78, r));
  gl_FragColor = vec4(shaded, 1.0 - smoothstep(0.86, 1.0, r));
  #include <colorspace_fragment>
}`;

export interface DotLook {
  colour: string;
  edge?: string;
  /** Pixels across, of the page; with `metres`: at most. */
  size: number;
  /** Metres across. */
  metres?: number;
  /** Seen through everything. */
  through?: boolean;
}

export function dots(geometry: BufferGeometry, look: DotLook): Points<BufferGeometry, ShaderMaterial> {
  const material = new ShaderMaterial({
    vertexShader,
    fragmentShader,
    transparent: true,
    depthTest: !look.through,
    depthWrite: false,
    uniforms: {
      colour: { value: new Color(look.colour) },
      edge: { value: new Color(look.edge ?? '#ffffff') },
      size: { value: look.size * Math.min(2, devicePixelRatio) },
      metres: { value: look.metres ?? 0 },
      height: { value: 600 },
      nearer: { value: 0.004 },
    },
  });
  const points = new Points(geometry, material);
  const viewport = new Vector4();
  points.onBeforeRender = (renderer) => {
    material.uniforms['height'].value = renderer.getCurrentViewport(viewport).w;
  };
  points.frustumCulled = false;
  points.renderOrder = look.through ? 20 : 10;
  return points;
}

/** Dots at some of the vertices. */
export function dotsAt(positions: BufferAttribute, vertices: ArrayLike<number>, look: DotLook): Points<BufferGeometry, ShaderMaterial> {
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', positions);
  geometry.setIndex(new BufferAttribute(Uint32Array.from(vertices).filter((v) => v < positions.count), 1));
  return dots(geometry, look);
}
