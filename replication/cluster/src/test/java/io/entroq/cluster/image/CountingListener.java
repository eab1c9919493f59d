package io.entroq.cluster.image;

import io.entroq.engine.snapshot.Manifest;

/** Counts images. Any thread. */
public final class CountingListener implements ImageListener {
  volatile int begun;
  volatile int written;
  volatile int failed;

  @Override
  public void onBegin() {
    begun++;
  }

  @Override
  public void onWritten(Manifest manifest, long tookNs) {
    written++;
  }

  @Override
  public void onFailed() {
    failed++;
  }
}
