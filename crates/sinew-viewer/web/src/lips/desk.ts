// What the tool for lips knows of the face, and its side of the conversation. The server has the frames and does the work.

import { Emitter } from '../emitter';
import type { Link } from '../link/link';
import { openSocket, socketAddress } from '../link/socket';
import { Reader, sections } from '../protocol/decode';
import type { DrawingCamera, FaceEvent, FaceMesh, LipsCommand, LipsEvent, LipsHello, Side, Survey, Training } from './messages';

interface Events {
  /** The server has said what there is; for the first time, or again. */
  hello: LipsHello;
  mesh: FaceMesh;
  /** Another shape is shown. */
  face: FaceEvent;
  training: Training;
  survey: Survey;
  lines: number;
  error: string;
  lost: string;
}

export class Desk {
  readonly events = new Emitter<Events>();
  hello: LipsHello | null = null;
  mesh: FaceMesh | null = null;
  face: FaceEvent | null = null;
  positions = new Float32Array(0);
  training: Training | null = null;
  survey: Survey | null = null;
  lines: number[][] = [];
  /** The lip line that contours are drawn for; −1: none yet. */
  line = -1;
  side: Side = 'corrected';
  frame = 0;
  connected = false;
  lastError: string | null = null;
  private link: Link<LipsCommand> | null = null;
  /** A frame was asked for and is not here yet. */
  private waiting = false;
  private expected: FaceEvent | null = null;

  async open(): Promise<void> {
    const address = socketAddress(location, 'lips');
    if (!address) throw new Error('This tool needs “sinew lips view”: start it and use the address that it prints, with its token.');
    this.link?.close();
    this.waiting = false;
    try {
      this.link = await openSocket<LipsCommand>(address, {
        text: (text) => this.hear(JSON.parse(text) as LipsEvent),
        binary: (bytes) => this.take(bytes),
        closed: (reason) => this.close(reason),
      });
    } catch (error) {
      throw new Error(`${error instanceof Error ? error.message : String(error)} Is “sinew lips view” still running? Start it again and use the address that it prints, with its token.`);
    }
  }

  /** Something on this frame has not been added yet. */
  get strokes(): number {
    return this.face?.frame === this.frame ? this.face.strokes : 0;
  }

  /** Nothing is under way. */
  get idle(): boolean {
    return !this.waiting;
  }

  /** Shows a frame; of many that are asked for while one is under way, the last. */
  show(frame: number, side: Side = this.side): void {
    if (!this.hello) return;
    this.frame = Math.max(0, Math.min(this.hello.frames - 1, Math.round(frame)));
    this.side = side;
    this.ask();
  }

  private ask(): void {
    if (this.waiting || !this.link || !this.connected) return;
    this.waiting = true;
    this.link.send({ do: 'show', frame: this.frame, side: this.side });
  }

  keepLine(landmarks: number[]): void {
    this.link?.send({ do: 'line', landmarks });
  }

  draw(camera: DrawingCamera, contour: [number, number][]): void {
    const side = this.side;
    this.side = 'corrected';
    this.waiting = true;
    this.link?.send({ do: 'draw', frame: this.frame, side, line: this.line, camera, contour });
  }

  undo(all: boolean): void {
    this.change({ do: all ? 'discard' : 'undo', frame: this.frame });
  }

  add(): void {
    this.change({ do: 'add', frame: this.frame, side: this.side });
  }

  remove(): void {
    this.change({ do: 'remove', frame: this.frame });
  }

  private change(command: LipsCommand): void {
    this.side = 'corrected';
    this.waiting = true;
    this.link?.send(command);
  }

  private close(reason: string): void {
    this.connected = false;
    this.waiting = false;
    this.link = null;
    this.events.emit('lost', reason);
  }

  private hear(event: LipsEvent): void {
    switch (event.event) {
      case 'hello':
        this.hello = event;
        this.connected = true;
        this.lastError = null;
        this.frame = Math.min(this.frame, event.frames - 1);
        this.events.emit('hello', event);
        break;
      case 'face':
        this.expected = event;
        break;
      case 'lines':
        this.lines = event.lines;
        if (event.kept !== undefined) this.line = event.kept;
        if (this.line >= this.lines.length || this.line < 0) this.line = this.lines.length > 0 ? 0 : -1;
        this.events.emit('lines', this.line);
        break;
      case 'training':
        this.training = event;
        this.events.emit('training', event);
        break;
      case 'survey':
        this.survey = event;
        this.events.emit('survey', event);
        break;
      case 'error':
        this.lastError = event.message;
        this.events.emit('error', event.message);
        // What was asked for does not come; the page shows what there is.
        if (this.waiting && event.about !== 'line' && event.about !== 'survey') {
          this.waiting = false;
          if (event.about !== 'show') this.ask();
        }
        break;
    }
  }

  private take(buffer: ArrayBuffer): void {
    const { kind, byTag } = sections(buffer);
    const read = new Reader(buffer, byTag);
    if (kind === 6) {
      this.mesh = { triangles: read.u32(60, 3), inner: read.u32(61), mouth: read.u32(62) };
      this.events.emit('mesh', this.mesh);
      this.ask();
    } else if (kind === 5 && this.expected) {
      this.positions = new Float32Array(read.f32(50, 3) ?? []);
      this.face = this.expected;
      this.expected = null;
      this.waiting = false;
      this.events.emit('face', this.face);
      if (this.face.frame !== this.frame || this.face.side !== this.side) this.ask();
    }
  }
}
