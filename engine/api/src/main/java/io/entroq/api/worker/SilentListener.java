package io.entroq.api.worker;

/** Does nothing. */
enum SilentListener implements WorkerListener {
  SILENT
}
