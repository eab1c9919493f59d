package io.entroq.cluster.image;

import io.entroq.engine.state.StateMachine;
import java.time.Duration;

/**
 * Takes images of the state, which stays frozen while one is read. Applying thread, except where
 * noted.
 */
public final class ImageTaker {
  /** How long an image in progress may take when a member ends. */
  public static final Duration END_TIMEOUT = Duration.ofSeconds(10);

  private final ImageStore store;
  private final ImageListener listener;
  private StateMachine machine;
  private volatile PendingImage current;

  /** Whether the state is frozen for {@link #current}. */
  private boolean isFrozen;

  public ImageTaker(ImageStore store, ImageListener listener) {
    this.store = store;
    this.listener = listener;
  }

  /**
   * Freezes the state, and has its image written.
   *
   * @param frozen the state, which must not be {@linkplain #isFrozen frozen}
   * @param position of the snapshot in the cluster's log
   * @throws io.entroq.engine.log.LogException if the disk refuses; nothing was changed
   */
  public PendingImage begin(StateMachine frozen, long position) {
    store.refer(position);
    machine = frozen;
    PendingImage previous = current;
    PendingImage next = new PendingImage(store, listener, machine.freeze(), position);
    isFrozen = true;
    current = next;
    listener.onBegin();
    try {
      next.begin(previous);
    } catch (Throwable t) {
      listener.onFailed();
      throw t;
    }
    return next;
  }

  /** Whether the state is frozen for an image, as of the last {@link #thawIfRead}. */
  public boolean isFrozen() {
    return isFrozen;
  }

  /** Whether an image is being written. Any thread. */
  public boolean isBusy() {
    PendingImage open = current;
    return open != null && !open.isDone();
  }

  /**
   * Thaws the state if it has been read.
   *
   * @return whether it was thawed
   */
  public boolean thawIfRead() {
    boolean isRead = isFrozen && current.isStateReleased();
    if (isRead) {
      machine.thaw();
      isFrozen = false;
    }
    return isRead;
  }

  /**
   * Releases the state before it is closed. On the applying thread, or another one after that has
   * ended; any number of times.
   *
   * @param isSound whether to complete an image in progress; otherwise it is abandoned
   * @param timeout how long it may take
   */
  public void end(boolean isSound, Duration timeout) {
    PendingImage open = current;
    if (open == null) {
      return;
    }
    open.end(isSound, timeout);
    thawIfRead();
  }
}
