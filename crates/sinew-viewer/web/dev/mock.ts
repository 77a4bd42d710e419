// An engine for the development of the page: speaks the protocol, simulates nothing.

import type { Link, Listener } from '../src/link/link';
import type { Command, Vec3, VariantRequest } from '../src/protocol/messages';
import { message } from './encode';
import { sphere, type Shape } from './shapes';
import { columns, shapesOf, World } from './world';

const texts: Record<string, [string, string, number]> = {
  trampoline: ['A trampoline', 'A cloth held at its border, struck in the middle, keeps swinging for as long as one looks.', 5],
  jelly: ['Jelly with bones', 'A soft bar with two bones and a joint between them, over a floor and a step that moves.', 3],
  flag: ['A flag in the wind', 'Cloth attached to a pole by springs.', 11],
  'two-springs': ['Two springs', 'Four masses and springs, nothing else.', 0.2],
};

declare global {
  interface Window {
    /** For checks: what the page has asked for, and a way to lose the engine. */
    mock?: { sent: Command[]; lose(reason: string): void };
  }
}

export async function connectMock(listener: Listener): Promise<Link> {
  return new Mock(listener).link();
}

class Mock {
  private scene = '';
  private worlds: World[] = [];
  private requests: VariantRequest[] = [{ label: '', set: [] }];
  private values = { integrator: 'backward-euler', solver: 'projective-dynamics', iterations: 20, acceleration: 'none', correction: 'fepr', h: 1 / 60, gravity: [0, -9.81, 0] as Vec3, ether: 0, rigid_preserving: 0, materials: [{ key: 'body.0.material.young', label: 'cloth: Young’s modulus (Pa)', value: 1e5 }, { key: 'body.0.material.poisson', label: 'cloth: Poisson’s ratio', value: 0.4 }] };
  private playing = false;
  private speed: number | null = 1;
  private colour = 'none';
  private inside = false;
  private frame = 0;
  private shown = 0;
  private due = 0;
  private extra: Shape[] = [];
  private timer = 0;
  private wind: Vec3 | null = null;
  private text = '';

  constructor(private readonly listener: Listener) {}

  link(): Link {
    const sent: Command[] = [];
    window.mock = { sent, lose: (reason) => this.listener.closed(reason) };
    this.tell({ event: 'hello', protocol: 1, engine: 'wasm', version: 'mock', threads: 2 });
    let last = performance.now();
    this.timer = window.setInterval(() => {
      const now = performance.now();
      if (this.playing) this.due += ((now - last) / 1000) * (this.speed ?? 3);
      last = now;
      const { h } = this.values;
      let steps = Math.min(8, Math.floor(this.due / h));
      this.due -= steps * h;
      if (this.due > 0.2) this.due = 0;
      const moved = steps > 0;
      for (; steps > 0; steps--) for (const world of this.worlds) world.step(h);
      if (moved) this.sendFrames();
    }, 8);
    return {
      send: (command) => {
        sent.push(command);
        queueMicrotask(() => this.take(command));
      },
      sendBinary: (bytes) => queueMicrotask(() => this.load(bytes)),
      close: () => clearInterval(this.timer),
    };
  }

  private tell(event: object): void {
    setTimeout(() => this.listener.text(JSON.stringify(event)), 0);
  }

  private post(bytes: ArrayBuffer): void {
    setTimeout(() => this.listener.binary(bytes), 0);
  }

  private sendFrames(): void {
    if (this.frame - this.shown >= 2) return;
    this.frame++;
    this.worlds.forEach((world, v) => this.post(world.frame(v, this.frame, this.inside, this.colour)));
  }

  private state(): void {
    this.tell({ event: 'state', playing: this.playing, speed: this.speed, wind: this.wind, pins: [...(this.worlds[0]?.pins ?? [])] });
  }

  private reset(): void {
    this.extra = [];
    this.wind = null;
    this.build();
  }

  /** A state of ours is the name and the time. */
  private load(bytes: ArrayBuffer): void {
    const text = new TextDecoder().decode(bytes);
    const { name, text: scene, time } = JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)) as { name: string; text: string; time: number };
    this.open(name, scene, 'text', undefined, time);
  }

  private build(time = 0): void {
    this.worlds = this.requests.map(({ set }) => {
      const own = set.find((line) => line.startsWith('correction.kind='))?.split('=')[1];
      return new World([...shapesOf(this.scene), ...this.extra], this.scene, own ?? this.values.correction);
    });
    this.worlds.forEach((world, variant) => {
      world.time = time;
      const [title, description] = texts[this.scene];
      this.tell({
        event: 'scene', variant, variants: this.worlds.length, label: this.requests[variant].label, name: this.scene, title, description, h: this.values.h,
        set: this.requests[variant].set, vertices: world.rest.length, seen: world.seen, elements: 7000, bones: world.bones(), joints: world.bones() ? 1 : 0, size: 1.2,
        bodies: world.shapes.map((s) => ({ name: s.name, rigid: false, triangles: s.triangles.length, springs: s.springs.length, tetrahedra: s.tetrahedra.length })),
        colliders: world.solid ? [{ kind: 'plane' }, { kind: 'solid', points: world.solid.points.length, triangles: world.solid.triangles.length }] : [],
        potentials: ['elastic', 'gravity'], columns, values: this.values, bounds: this.scene === 'jelly' ? { min: [-0.8, 0, -0.4], max: [1, 0.9, 0.7] } : this.scene === 'trampoline' ? { min: [-0.5, -0.2, -0.5], max: [0.5, 0.2, 0.5] } : { min: [0, 0, -0.2], max: [1, 1, 0.2] },
      });
      this.post(world.mesh(variant));
    });
    this.shown = this.frame;
    this.sendFrames();
    this.state();
  }

  private open(name: string, text: string, source: string, file?: string, time = 0): void {
    this.scene = name;
    this.requests = [{ label: '', set: [] }];
    this.extra = [];
    this.playing = false;
    this.colour = 'none';
    this.inside = false;
    this.wind = null;
    this.text = text;
    this.tell({ event: 'opened', name, text, source, ...(file ? { file } : {}) });
    this.build(time);
  }

  /** Those that count as the given one does. */
  private alike(variant = 0): World[] {
    return this.worlds.filter((each) => each.rest.length === this.worlds[variant]?.rest.length);
  }

  private take(command: Command): void {
    const [world] = this.worlds;
    switch (command.do) {
      case 'accepts':
        // One kind of scene that refuses something, to see what becomes of it.
        return this.tell({ event: 'accepts', refusals: command.sets.map((set) => (this.scene === 'two-springs' && set.includes('correction.kind=blend') ? 'blend needs bodies' : null)) });
      case 'scenes':
        return this.tell({ event: 'scenes', scenes: Object.entries(texts).map(([name, [title, description, seconds]]) => ({ name, title, description, seconds })), files: ['own/ball.toml', 'own/deep/chain.toml'] });
      case 'open': {
        if ('text' in command) {
          const line = command.text.split('\n').findIndex((each) => each.includes('wrong')) + 1;
          if (line > 0) return this.tell({ event: 'error', message: `line ${line}: unknown key “wrong”\nDid you mean “strong”?`, about: 'open', line, column: 1, key: 'wrong' });
          return this.open(this.scene || 'trampoline', command.text, 'text', command.beside);
        }
        const name = 'scene' in command ? command.scene : 'trampoline';
        if (!(name in texts)) return this.tell({ event: 'error', message: `There is no scene “${name}”.`, about: 'open' });
        const lines = Array.from({ length: 60 }, (_, i) => `key${i} = ${i}`).join('\n');
        return this.open(name, `title = "${texts[name][0]}"\nh = "1/60"\n\n${lines}\n`, 'scene' in command ? 'scene' : 'file', 'file' in command ? command.file : undefined);
      }
      case 'variants':
        if (command.variants.some(({ set }) => set.some((line) => line.includes('wrong')))) return this.tell({ event: 'error', message: 'unknown key “wrong”', about: 'variants' });
        this.requests = command.variants;
        return this.build();
      case 'set': {
        for (const line of command.set) {
          const [key, value] = line.split('=');
          if (value === 'xpbd') return this.tell({ event: 'error', message: 'xpbd does not go with integrator backward-euler\nchoose another solver', about: 'set' });
          const name = ({ 'integrator.kind': 'integrator', 'solver.kind': 'solver', 'correction.kind': 'correction', 'solver.iterations': 'iterations' } as Record<string, string>)[key];
          if (name) Object.assign(this.values, { [name]: name === 'iterations' ? Number(value) : value });
          if (key === 'h') this.values.h = value.startsWith('1/') ? 1 / Number(value.slice(2)) : Number(value);
          if (key === 'gravity') this.values.gravity = JSON.parse(value) as Vec3;
          const material = this.values.materials.find((each) => each.key === key);
          if (material) material.value = Number(value);
        }
        for (const each of this.worlds) each.correction = this.values.correction;
        return this.worlds.forEach((_, variant) => this.tell({ event: 'settings', variant, set: command.set, values: this.values }));
      }
      case 'play':
      case 'pause':
        this.playing = command.do === 'play';
        return this.state();
      case 'step':
        this.playing = false;
        for (const each of this.worlds) for (let i = 0; i < (command.count ?? 1); i++) each.step(this.values.h);
        this.sendFrames();
        return this.state();
      case 'reset':
        return this.reset();
      case 'speed':
        this.speed = command.speed;
        return this.state();
      case 'grab':
        if (command.corners.some((corner) => corner >= (this.worlds[command.variant ?? 0]?.rest.length ?? 0))) return this.tell({ event: 'error', message: 'There is no such vertex any more.', about: 'grab' });
        for (const each of this.alike(command.variant)) each.grabs.set(command.pointer, command);
        return;
      case 'move':
        for (const each of this.worlds) if (each.grabs.has(command.pointer)) each.grabs.get(command.pointer)!.target = command.target;
        return;
      case 'release':
        for (const each of this.worlds) each.grabs.delete(command.pointer);
        return;
      case 'pin':
        for (const each of this.alike(command.variant)) each.hold(command.vertices, command.on);
        return this.state();
      case 'target':
        for (const each of this.alike(command.variant)) {
          if (command.to) each.targets.set(command.attachment, command.to);
          else each.targets.delete(command.attachment);
        }
        return;
      case 'throw':
        this.extra.push(sphere(`ball ${this.extra.length + 1}`, command.radius, command.from.map((x, i) => x + command.velocity[i] * 0.1)));
        return this.build();
      case 'wind':
        this.wind = command.velocity;
        return this.state();
      case 'colour':
        this.colour = command.by;
        return this.sendFrames();
      case 'inside':
        this.inside = command.on;
        return this.sendFrames();
      case 'save':
        return this.post(message(3, 0, 0, [[30, new Uint8Array(100)], [31, new TextEncoder().encode(JSON.stringify({ name: this.scene, text: this.text, set: [], changes: {}, time: world?.time ?? 0 }))]]));
      case 'shown':
        this.shown = Math.max(this.shown, command.frame);
        return;
    }
  }
}
