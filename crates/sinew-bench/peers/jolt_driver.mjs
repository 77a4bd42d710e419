// Jolt Physics (WebAssembly): node jolt_driver.mjs BODY OUT ITERATIONS
// Springs become edge constraints of compliance 1/k. It has no finite elements: tetrahedra become edges of stiffness 0.4·E·ℓ, ℓ the
// spacing of the vertices, and volume constraints, which is how its users model solids. What it calls iterations are substeps.
// Its soft bodies collide with their vertices, and not with themselves.

import initJolt from 'jolt-physics/wasm-compat';
import fs from 'node:fs';

const [path, out, iterations] = process.argv.slice(2);
const body = readBody(path);
const Jolt = await initJolt();
const { jolt, softBody } = createWorld();
const vertices = Jolt.castObject(softBody.GetMotionProperties(), Jolt.SoftBodyMotionProperties).GetVertices();
const count = body.vertices.length;

const budget = 1000 * Number(process.env.SINEW_PEERS_BUDGET ?? 120);
const shots = [];
const times = [];
const begin = performance.now();
for (let frame = 0; ; frame++) {
  shots.push(shot());
  const blownUp = shots.at(-1).some(value => !(Math.abs(value) < 1e6));
  if (frame === body.frames || blownUp || performance.now() - begin > budget) break;
  const start = performance.now();
  jolt.Step(body.h, 1);
  times.push(performance.now() - start);
}
const file = fs.openSync(out, 'w');
const write = array => fs.writeSync(file, new Uint8Array(array.buffer));
write(new Uint32Array([count, times.length]));
write(new Float64Array(times));
for (const one of shots) write(one);
fs.closeSync(file);

function readBody(path) {
  const words = fs.readFileSync(path, 'utf8').split(/\s+/).filter(word => word);
  const width = { vertices: 4, pins: 1, springs: 3, triangles: 3, tetrahedra: 4 };
  const body = {};
  for (let at = 2; at < words.length;) {
    const name = words[at++];
    if (!(name in width)) { body[name] = Number(words[at++]); continue; }
    const rows = Number(words[at++]);
    body[name] = Array.from({ length: rows }, (_, i) =>
      words.slice(at + i * width[name], at + (i + 1) * width[name]).map(Number));
    at += rows * width[name];
  }
  return body;
}

function createWorld() {
  const settings = new Jolt.JoltSettings();
  const pairs = new Jolt.ObjectLayerPairFilterTable(2);
  pairs.EnableCollision(0, 1);
  const layers = new Jolt.BroadPhaseLayerInterfaceTable(2, 2);
  for (const i of [0, 1]) layers.MapObjectToBroadPhaseLayer(i, new Jolt.BroadPhaseLayer(i));
  settings.mObjectLayerPairFilter = pairs;
  settings.mBroadPhaseLayerInterface = layers;
  settings.mObjectVsBroadPhaseLayerFilter = new Jolt.ObjectVsBroadPhaseLayerFilterTable(layers, 2, pairs, 2);
  const jolt = new Jolt.JoltInterface(settings);
  const system = jolt.GetPhysicsSystem();
  system.SetGravity(new Jolt.Vec3(0, -body.gravity, 0));

  const shared = new Jolt.SoftBodySharedSettings();
  const pinned = new Set(body.pins.map(([i]) => i));
  const vertex = new Jolt.SoftBodySharedSettingsVertex();
  body.vertices.forEach(([x, y, z, mass], i) => {
    vertex.mPosition = new Jolt.Float3(x, y, z);
    vertex.mInvMass = pinned.has(i) ? 0 : 1 / mass;
    shared.mVertices.push_back(vertex);
  });
  for (const [a, b, c] of body.triangles) {
    const face = new Jolt.SoftBodySharedSettingsFace(a, b, c, 0);
    shared.AddFace(face);
    Jolt.destroy(face);
  }
  const addEdge = (a, b, stiffness) => {
    const edge = new Jolt.SoftBodySharedSettingsEdge(a, b, 1 / stiffness);
    shared.mEdgeConstraints.push_back(edge);
    Jolt.destroy(edge);
  };
  for (const [a, b, k] of body.springs) addEdge(a, b, k);
  if (body.tetrahedra.length) addSolid(shared, addEdge);
  shared.CalculateEdgeLengths();
  if (body.tetrahedra.length) shared.CalculateVolumeConstraintVolumes();
  shared.Optimize();

  const creation = new Jolt.SoftBodyCreationSettings(shared, new Jolt.RVec3(0, 0, 0), Jolt.Quat.prototype.sIdentity(), 1);
  creation.mNumIterations = Number(iterations);
  creation.mLinearDamping = 0;
  creation.mUpdatePosition = false;
  creation.mAllowSleeping = false;
  const bodies = system.GetBodyInterface();
  if (body.sphere) {
    creation.mFriction = body.friction;
    creation.mVertexRadius = body.thickness;
    addSphere(bodies);
  }
  const softBody = bodies.CreateSoftBody(creation);
  bodies.AddBody(softBody.GetID(), Jolt.EActivation_Activate);
  return { jolt, softBody };
}

function addSphere(bodies) {
  const place = new Jolt.RVec3(body.sphere_x, body.sphere_y, body.sphere_z);
  const shape = new Jolt.SphereShape(body.sphere);
  const still = Jolt.EMotionType_Static;
  const creation = new Jolt.BodyCreationSettings(shape, place, Jolt.Quat.prototype.sIdentity(), still, 0);
  creation.mFriction = body.friction;
  bodies.AddBody(bodies.CreateBody(creation).GetID(), Jolt.EActivation_DontActivate);
}

function addSolid(shared, addEdge) {
  const seen = new Set();
  const volume = new Jolt.SoftBodySharedSettingsVolume();
  const spacing = shortestEdge();
  for (const tetrahedron of body.tetrahedra) {
    for (let i = 0; i < 4; i++) {
      for (let j = 0; j < i; j++) {
        const [a, b] = [tetrahedron[i], tetrahedron[j]].sort((a, b) => a - b);
        if (seen.has(a * 1e6 + b)) continue;
        seen.add(a * 1e6 + b);
        addEdge(a, b, 0.4 * body.young * spacing);
      }
      volume.set_mVertex(i, tetrahedron[i]);
    }
    volume.mCompliance = 1e-9 / body.factor;
    shared.mVolumeConstraints.push_back(volume);
  }
}

function shortestEdge() {
  let shortest = Infinity;
  for (const [a, b, c] of body.tetrahedra) {
    for (const [i, j] of [[a, b], [b, c], [c, a]]) {
      const [p, q] = [body.vertices[i], body.vertices[j]];
      shortest = Math.min(shortest, Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]));
    }
  }
  return shortest;
}

function shot() {
  const values = new Float32Array(6 * count);
  const centre = softBody.GetCenterOfMassPosition();
  const offset = [centre.GetX(), centre.GetY(), centre.GetZ()];
  for (let i = 0; i < count; i++) {
    const vertex = vertices.at(i);
    const [x, v] = [vertex.mPosition, vertex.mVelocity];
    values.set([x.GetX() + offset[0], x.GetY() + offset[1], x.GetZ() + offset[2]], 3 * i);
    values.set([v.GetX(), v.GetY(), v.GetZ()], 3 * (count + i));
  }
  return values;
}
