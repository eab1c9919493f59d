package io.entroq.api.worker;

/** {@link System#nanoTime()}. */
enum SystemTicker implements Ticker {
  SYSTEM;

  @Override
  public long nanoTime() {
    return System.nanoTime();
  }

  @Override
  public long pauseNanos(long nanos) {
    return nanos;
  }
}
