package io.entroq.cluster.image;

import java.nio.ByteBuffer;
import java.util.Optional;

/** Another member's images. One thread; blocks. */
public interface ImageSource {
  /**
   * Begins to copy the image of a snapshot.
   *
   * @param position of the snapshot in the cluster's log
   * @param offset bytes of the state file that are not sent again
   * @return empty if the snapshot holds the state itself
   * @throws io.entroq.api.EntroQException.Unavailable if it may be had later
   * @throws io.entroq.api.EntroQException if this member does not have it
   */
  Optional<Transfer> open(long position, long offset);

  /** An image that is being copied. */
  interface Transfer extends AutoCloseable {
    /** The image's manifest. */
    byte[] manifest();

    /**
     * The next bytes of the state file; empty at the end.
     *
     * @throws io.entroq.api.EntroQException.Unavailable if the connection is lost
     */
    Optional<ByteBuffer> next();

    @Override
    void close();
  }
}
