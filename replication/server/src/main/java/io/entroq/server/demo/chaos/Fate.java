package io.entroq.server.demo.chaos;

/** What befalls a worker that was handed a task. */
enum Fate {
  /** Nothing. */
  CALM,
  /** It dies, with the work done and not committed. */
  CRASH,
  /** It stands still until its lease is over, and then tries to commit. */
  HANG
}
