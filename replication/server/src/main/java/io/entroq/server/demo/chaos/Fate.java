package io.entroq.server.demo.chaos;

/** What happens to a worker after it has done a task. */
enum Fate {
  /** It commits the task. */
  NONE,
  /** It dies before the commit. */
  CRASH,
  /** It hangs until its lease has expired, then tries to commit. */
  HANG
}
