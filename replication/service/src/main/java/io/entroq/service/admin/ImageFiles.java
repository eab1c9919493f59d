package io.entroq.service.admin;

import io.entroq.engine.snapshot.Snapshot;
import java.util.Optional;

/** The images of a cluster member. Called on the thread that sends one. */
public interface ImageFiles {
  /**
   * The image that the snapshot at a position of the cluster's log refers to.
   *
   * @return empty if the snapshot holds the state itself
   * @throws io.entroq.service.translation.RefusedException if there is none, or not yet
   */
  Optional<Snapshot> at(long position);
}
