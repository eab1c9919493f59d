package io.entroq.cluster.image;

import io.entroq.codec.snapshot.SnapshotSource;
import io.entroq.engine.snapshot.Manifest;
import io.entroq.engine.snapshot.Snapshot;
import io.entroq.engine.state.FrozenState;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Optional;

/** The image of a frozen state. Any thread, except as noted. */
public final class PendingImage extends BackgroundSnapshot {
  private static final Logger LOGGER = System.getLogger(PendingImage.class.getName());

  private final ImageStore store;
  private final ImageListener listener;
  private final FrozenState state;
  private final long position;

  PendingImage(ImageStore store, ImageListener listener, FrozenState state, long position) {
    super(state);
    this.store = store;
    this.listener = listener;
    this.state = state;
    this.position = position;
  }

  /**
   * Starts the writing. Once, on the applying thread.
   *
   * @param previous to be done before; null if there is none
   */
  void begin(PendingImage previous) {
    start("entroq-image", () -> write(previous));
  }

  private void write(PendingImage previous) {
    if (previous != null) {
      previous.await();
    }
    long startNs = System.nanoTime();
    Manifest manifest = store.write(state, position, this::shouldAbandon);
    listener.onWritten(manifest, System.nanoTime() - startNs);
  }

  @Override
  protected void onAbandoned() {
    listener.onFailed();
  }

  @Override
  protected void onFailed(String reason) {
    listener.onFailed();
    LOGGER.log(
        Level.WARNING,
        "The image of the snapshot at record %,d failed, so a restart begins with an older one: %s"
            .formatted(state.sequence(), reason));
  }

  /** The state, of which only what identifies it may be read. */
  public SnapshotSource state() {
    return state;
  }

  /** The sequence of the state. */
  public long sequence() {
    return state.sequence();
  }

  /** The complete image, unless it has been deleted. */
  public Optional<Snapshot> written() {
    return isWritten() ? store.at(position) : Optional.empty();
  }
}
