// The tree and the frames of the host: docs/core.md and docs/protocols/host-socket.md.

export type Arg = { said?: string; count?: number; bytes?: number; time?: number; duration?: number; words?: Words; list?: Words[] };

export type Words =
  | string
  | { key: string; args?: Record<string, Arg> }
  | { said: string }
  | { all: Words[] }
  | { list: Words[] };

export type Value =
  | { text: string }
  | { words: Words }
  | { count: number }
  | { secret: string }
  | { time: number }
  | { done: number; total: number };

export interface Offer {
  verb: string; inputs?: string[]; kinds?: string[]; is_destructive?: boolean; action: Record<string, any>;
}

export interface Media {
  kind: string; duration?: number; waveform?: number[]; width?: number; height?: number; thumbnail?: string;
}

export interface Facts {
  delivery?: string; failure?: string; expires?: number; change?: { kind: string; state: string };
  quote?: { message: string; side?: string; excerpt: string }; reactions?: { by: string; emoji: string }[];
  bytes?: number; media?: Media; transfer?: string; link?: string; path?: string; verification?: string;
  unread?: number; unseen?: { first?: string; count: number }; muted?: boolean; archive?: { handle: string; name: string }; typing?: boolean; latest?: Words; lifetime?: Words;
  tags?: string[]; partners?: Words[]; level?: number;
  keys?: { ours: number; theirs: number; epoch: number; level: string }; theme?: string; covers?: boolean; language?: string;
  doc?: string;
  session?: string; tool?: { kind: string; status?: string; added?: number; removed?: number };
  approval?: { of: string; expires: number; input?: "text" | "secret" }; is_allowed?: boolean; is_thought?: boolean; is_difference?: boolean;
  icon?: { app: string; version: string }; recording?: { effect: number; until?: number }; window?: { instance: string; asked?: number };
}

export interface Node {
  id: string; role: string; region?: string; label: Words; value?: Value; detail?: Words; at?: number; side?: string;
  states?: string[]; is_enabled?: boolean; is_selected?: boolean; is_busy?: boolean; is_focused?: boolean;
  offers?: Offer[]; templates?: Offer[]; uses?: string[]; facts?: Facts;
  window?: { count: number; first: number; anchor?: string }; children?: Node[];
}

export interface Patch {
  from?: number; rev?: number; removed?: string[];
  placed?: { id: string; parent: string; place: number; node?: Node }[];
  updated?: { id: string; fields?: Record<string, unknown>; append?: { at: number; text: string } }[];
}

export interface Request { anchor?: string; before: number; after: number }
