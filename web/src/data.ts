/** What the pages are given: written by `mummer.grid.page_folder` and `mummer.grid.viewer`. */

export type Status = "p" | "f" | "n" | "c";

export const STATUS_NAMES: Record<Status, string> = {
  p: "passed",
  f: "failed",
  n: "not admitted",
  c: "crashed",
};

export interface Measure {
  name: string;
  /** The most that passes. */
  threshold: number;
  unit: string;
  question: string;
  reason: string;
}

export interface Body {
  /** As the command line takes it: zoo:dog. */
  spec: string;
  title: string;
  /** The script that brings its surface. */
  file: string;
}

export interface Cell {
  s: Status;
  /** What each measure found, in the order of the measures; null where there was nothing to measure. */
  v?: (number | null)[];
  /** Where a measure that failed was worst; what is told beside the verdict, or reported, does not fail. */
  w?: Record<string, string>;
  /** Why it crashed or was not admitted. */
  r?: string;
  /** The script that brings its motion, if it was kept. */
  f?: string;
  /** Seconds that the motion lasts. */
  d?: number;
}

export interface Past {
  when: string;
  version: string;
  cells: number;
  passed: number;
  failed: number;
  not_admitted: number;
  crashed: number;
}

export interface GridData {
  version: string;
  measures: Measure[];
  animations: string[];
  bodies: Body[];
  /** Body by body, each with all animations. */
  cells: Cell[];
  /** Oldest first; the last is this run. */
  history: Past[];
  /** Animation and body of what changed since the run before. */
  better: [string, string][];
  worse: [string, string][];
}

export interface ViewData {
  title: string;
  /** A compressed .glb as base64. */
  file: string;
}

declare global {
  interface Window {
    mummerGrid?: GridData;
    mummerView?: ViewData;
    mummerLive?: boolean;
    mummerClip?: (key: string, content: string) => void;
    mummerBody?: (key: string, content: string) => void;
  }
}
