package io.entroq.cluster.image;

import io.entroq.engine.snapshot.Manifest;

/**
 * Notified of images, on the thread that writes them unless noted otherwise. Each that begins is
 * then either written or has failed, in the order in which they began.
 */
public interface ImageListener {
  /** An image begins; called on the applying thread. */
  void onBegin();

  /**
   * An image is complete.
   *
   * @param tookNs how long it was written
   */
  void onWritten(Manifest manifest, long tookNs);

  /** An image was abandoned or could not be written; on any thread. */
  void onFailed();
}
